import type { Page } from "@playwright/test";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { Product } from "./fixtures/product.ts";
import { addEvents, createOutbox, OUTBOX, operateConfig } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

/** Errors that the browser logs for requests that fail meanwhile. */
const FAILED_REQUEST = /status of 50[034]|Failed to load resource|ERR_/;

let product: Product;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  await createOutbox(database.pool);
  await addEvents(database.pool, [
    { aggregateId: "order-1", eventType: "order.placed" },
    { aggregateId: "order-2", eventType: "order.placed" },
  ]);
  product = await Product.start({ database, config: operateConfig });
});

test.afterAll(() => product.close());
test.afterEach(() => product.line.resume());

interface Greyed {
  /** Number of snapshots refused when the page was greyed; null while it is not. */
  refusedBefore: number | null;
  changes: number;
}

/** Records from now on each time the page is greyed or restored, and after how many refusals. */
async function watchGreyed(page: Page): Promise<() => Promise<Greyed>> {
  await page.evaluate(() => {
    const seen = { refusedBefore: null as number | null, changes: 0, was: false };
    Object.assign(window, { seenGreyed: seen });
    const isRefusal = (entry: PerformanceResourceTiming) =>
      entry.name.includes("/snapshot") && entry.responseStatus >= 500;
    const look = () => {
      const is = document.querySelector("main .last-known") !== null;
      if (is && seen.refusedBefore === null)
        seen.refusedBefore = performance
          .getEntriesByType("resource")
          .filter((entry) => isRefusal(entry as PerformanceResourceTiming)).length;
      if (is !== seen.was) seen.changes += 1;
      seen.was = is;
      requestAnimationFrame(look);
    };
    look();
  });
  return () =>
    page.evaluate(() => {
      const { refusedBefore, changes } = (window as unknown as { seenGreyed: Greyed }).seenGreyed;
      return { refusedBefore, changes };
    });
}

test("a database that hangs: the last figures stay, greyed, with their age and the reason, and do not flicker", {
  tag: IN_DEPTH,
}, async ({ page, expectedNoise }) => {
  test.setTimeout(120_000);
  expectedNoise.push(FAILED_REQUEST);
  await page.goto(`${product.url}/?outbox=${OUTBOX}`);
  const pending = page.getByRole("region", { name: "Figures" }).getByRole("link", { name: /^Pending/ });
  await expect(pending).toContainText("2");
  await expect(page.getByRole("button", { name: /^Live/ })).toBeVisible();

  const readGreyed = await watchGreyed(page);
  product.line.pause();
  const silence = page.getByRole("main").getByRole("alert").first();
  await expect(silence).toContainText("The figures below are from");
  await expect(silence).toContainText(/No answer|does not answer/);
  await expect(page.getByRole("button", { name: /^Disconnected/ })).toBeVisible();

  await test.step("through several refreshes", async () => {
    // Four refreshes or more: the page prints for how long the database has not answered.
    await expect(silence).toContainText(/UTC, 1[2-9] s ago/);
    await expect(pending).toContainText("2");
    const { refusedBefore, changes } = await readGreyed();
    expect(changes, "greyed once and for as long as it lasts").toBe(1);
    expect(refusedBefore ?? Number.POSITIVE_INFINITY, "greyed by the first refusal").toBeLessThanOrEqual(1);
  });

  await product.line.resume();
  await expect(page.getByRole("button", { name: /^Live/ })).toBeVisible();
  await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
});

test("a page opened while the database hangs says so, and keeps saying so", { tag: IN_DEPTH }, async ({
  page,
  expectedNoise,
}) => {
  test.setTimeout(120_000);
  expectedNoise.push(FAILED_REQUEST);
  await page.goto(`${product.url}/?outbox=${OUTBOX}`);
  await expect(page.getByRole("button", { name: /^Live/ })).toBeVisible();
  product.line.pause();
  await page.goto(`${product.url}/stuck?outbox=${OUTBOX}`);
  const silence = page.getByRole("main").getByRole("alert").first();
  await expect(silence).toBeVisible();
  await page.evaluate(() => {
    const seen = { gone: 0 };
    Object.assign(window, { seenSilence: seen });
    new MutationObserver(() => {
      if (document.querySelector("main [role=alert]") === null) seen.gone += 1;
    }).observe(document.body, { childList: true, subtree: true });
  });
  let failed = 0;
  const isReading = (url: string) => url.includes("/findings");
  page.on("requestfailed", (request) => {
    if (isReading(request.url())) failed += 1;
  });
  page.on("response", (response) => {
    if (isReading(response.url()) && response.status() >= 500) failed += 1;
  });
  await expect.poll(() => failed, { message: "requests that fail, one after another" }).toBeGreaterThanOrEqual(3);
  const gone = await page.evaluate(() => (window as unknown as { seenSilence: { gone: number } }).seenSilence.gone);
  expect(gone, "times at which the page forgot that nothing answers").toBe(0);
});

test("actions are off while nothing answers, with the reason", async ({ page, expectedNoise }) => {
  test.setTimeout(120_000);
  expectedNoise.push(FAILED_REQUEST);
  await page.goto(`${product.url}/messages?state=pending&outbox=${OUTBOX}`);
  await page.getByTestId("message-row").first().getByText("order.placed").click();
  const panel = page.getByRole("complementary", { name: "Message" });
  const retry = panel.getByRole("button", { name: /^Dead-letter/ });
  await expect(retry).not.toHaveAttribute("aria-disabled", "true");
  product.line.pause();
  await expect(retry).toHaveAttribute("aria-disabled", "true");
  await expect(retry).toHaveAccessibleDescription(/does not answer/);
  await page.keyboard.press("d");
  await expect(page.getByTestId("toasts")).toContainText("The database does not answer: nothing can be changed now.");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
