import { EVERY_PAGE } from "./fixtures/pages.ts";
import { Product } from "./fixtures/product.ts";
import { addEvents, createOutbox, operateConfig } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

/** The font size that a person sets in the browser, in px; 16 is usual. */
const LARGE_PX = 24;

test.use({
  launchOptions: {
    args: ["--no-sandbox", `--blink-settings=defaultFontSize=${LARGE_PX}`],
    ...(process.env.PLAYWRIGHT_CHROMIUM === undefined ? {} : { executablePath: process.env.PLAYWRIGHT_CHROMIUM }),
  },
});

let product: Product;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  await createOutbox(database.pool);
  await addEvents(database.pool, [{ aggregateId: "order-1", eventType: "order.placed" }]);
  product = await Product.start({ database, config: operateConfig });
});

test.afterAll(() => product.close());

test("text follows the browser's font size, and no page scrolls sideways or cuts the words of a button", async ({
  page,
}) => {
  for (const path of EVERY_PAGE) {
    await page.goto(product.url + path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
    const sizes = await page.evaluate(() => ({
      text: Number.parseFloat(getComputedStyle(document.body).fontSize),
      width: document.documentElement.scrollWidth,
      cut: [...document.querySelectorAll<HTMLElement>("button, a")]
        .filter((control) => control.textContent && getComputedStyle(control).textOverflow !== "ellipsis")
        .filter((control) => control.scrollWidth > control.clientWidth + 1 && control.clientWidth > 0)
        .map((control) => control.textContent),
    }));
    expect(sizes, path).toEqual({ text: (13 * LARGE_PX) / 16, width: 390, cut: [] });
  }
});
