import type { Page } from "@playwright/test";
import type { HttpReceiver } from "#tests/http-receiver.ts";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import type { Product } from "./fixtures/product.ts";
import { startRelayedShop } from "./fixtures/relayed-shop.ts";
import { addEvents } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

const MOST_SHIFT = 0.02;
/** As a browser asks for a page. */
const DOCUMENT = { accept: "text/html,application/xhtml+xml" };

let product: Product;
let receiver: HttpReceiver;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  ({ product, receiver } = await startRelayedShop(await makeDatabase("migrated")));
});

test.afterAll(async () => {
  await product.close();
  await receiver.close();
});

/** Sums every layout shift without user input, from the first paint on. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { sum: 0, moved: [] as string[] };
    Object.assign(window, { seenShifts: seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        seen.sum += entry.value;
        for (const { node, previousRect: from, currentRect: to } of entry.sources) {
          const what = node instanceof Element ? `${node.nodeName} ${node.className}` : node?.textContent;
          seen.moved.push(`${entry.value.toFixed(3)} ${what} from ${from.x},${from.y} to ${to.x},${to.y}`);
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

const readShifts = (page: Page) =>
  page.evaluate(() => (window as unknown as { seenShifts: { sum: number; moved: string[] } }).seenShifts);

test("Overview holds still while it loads, refreshes and breaks", async ({ page }) => {
  test.setTimeout(180_000);
  await watchShifts(page);
  await page.goto(product.url);
  const verdict = page.getByRole("region", { name: "Verdict" });
  const title = verdict.getByRole("heading", { level: 1 });
  await expect(title).toHaveText("Delivering");
  await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
  const height = (await verdict.boundingBox())?.height;

  await receiver.close();
  await addEvents(product.database.pool, [{ aggregateId: "order-1", eventType: "order.placed" }]);
  await expect(title).toHaveText(/^Not delivering: .+ECONNREFUSED/);
  expect((await verdict.boundingBox())?.height).toBe(height);

  const { sum, moved } = await readShifts(page);
  expect(sum, moved.join("\n")).toBeLessThan(MOST_SHIFT);
});

test("Stuck and Inbox have their answers in the document itself, so that nothing moves when they arrive", {
  tag: IN_DEPTH,
}, async ({ page }) => {
  const html = async (path: string) => (await page.request.get(`${product.url}${path}`, { headers: DOCUMENT })).text();
  const heading = async () => /<h1[^>]*>(.*?)<\/h1>/s.exec(await html("/stuck"))?.[1] ?? "";
  await expect.poll(heading).toMatch(/Not delivering.*ECONNREFUSED/);
  expect(await html("/inbox")).toContain("No inbox was found.");
});
