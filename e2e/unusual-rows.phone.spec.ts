import { Product } from "./fixtures/product.ts";
import { expect, test } from "./fixtures/test.ts";

const LONG = "y".repeat(2_000);
const UUID = "c111742e-fcaf-4361-80ac-cb18c6489a69";
/** As a producer's wrong clock and other mistakes leave them. */
const ROWS = [
  { id: "long", aggregate: `agg-${LONG}`, type: `type.${LONG}`, error: `no price ${LONG}` },
  { id: "empty", aggregate: "", type: "", error: "" },
  { id: "future", aggregate: "ord-1", type: "order.placed", error: "no price", createdIn: "70 hours" },
  { id: UUID, aggregate: "ord-3", type: "order.placed", error: "no price" },
  { id: "i".repeat(2_600), aggregate: "ord-2", type: "order.placed", error: "no price" },
];

let product: Product;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  await database.pool.query(`CREATE TABLE outbox_events (id text PRIMARY KEY, aggregate_id text, event_type text, payload jsonb,
    occurred_at timestamptz NOT NULL, dispatched_at timestamptz, attempts int NOT NULL, last_error text)`);
  for (const { id, aggregate, type, error, createdIn = "0" } of ROWS)
    await database.pool.query(
      "INSERT INTO outbox_events VALUES ($1, $2, $3, '{}', clock_timestamp() + $5::interval, NULL, 5, $4)",
      [id, aggregate, type, error, createdIn],
    );
  product = await Product.start({
    database,
    config: (url) => ({
      stores: { shop: { kind: "postgres", url } },
      outboxes: { odd: { store: "shop", table: "public.outbox_events", mode: "operate", deadAttempts: 5 } },
    }),
  });
});

test.afterAll(() => product.close());

test("what one message is called never pushes the actions or other groups out of sight", async ({ page }) => {
  await page.goto(`${product.url}/messages/long?outbox=odd`);
  await expect(page.getByRole("button", { name: "Retry now" })).toBeInViewport();
  await page.goto(`${product.url}/failures?outbox=odd`);
  const rows = page.getByRole("table", { name: "Failure groups" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  for (const row of await rows.all()) expect((await row.boundingBox())?.height).toBeLessThan(320);
  for (const link of await rows.getByRole("link", { name: /^Open / }).all())
    await expect(link).toBeInViewport({ ratio: 0.99 });
});

test("no page scrolls sideways, however long a type, an aggregate or an error is", async ({ page }) => {
  for (const path of ["/", "/stuck", "/failures", "/messages?state=dead", "/messages/long"]) {
    await page.goto(`${product.url}${path}${path.includes("?") ? "&" : "?"}outbox=odd`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390);
  }
});

test("the button that closes a message's panel is whole", async ({ page }) => {
  await page.goto(`${product.url}/messages?outbox=odd&state=dead&message=${UUID}`);
  const panel = page.getByTestId("message-panel");
  await expect(panel.getByRole("button", { name: "Retry now" })).toBeVisible();
  const close = panel.getByRole("button", { name: "Close the panel" });
  await expect(close).toBeInViewport({ ratio: 0.99 });
  await close.tap();
  await expect(panel).toHaveCount(0);
});

test("charts that no worker fills do not say that sampling has begun", async ({ page }) => {
  await page.goto(`${product.url}/?outbox=odd`);
  await expect(page.getByTestId("monitor-note")).toContainText("No monitor has ever run");
  await expect(page.getByText("Nothing was sampled").first()).toBeVisible();
  await expect(page.getByText("Sampling has just begun")).toHaveCount(0);
});

test("an empty type and an empty aggregate are named", async ({ page }) => {
  await page.goto(`${product.url}/messages/empty?outbox=odd`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Message without a type");
  await expect(page.getByText(/^Of an empty aggregate id, created/)).toBeVisible();
});

test("a creation time in the future is not an age of zero", async ({ page }) => {
  await page.goto(`${product.url}/messages/future?outbox=odd`);
  await expect(page.getByText(/^Of ord-1, created .* local, in 2 d 21 h$/)).toBeVisible();
  await page.goto(`${product.url}/messages?outbox=odd&state=dead`);
  await expect(page.getByTestId("message-row").filter({ hasText: "ord-1" })).toContainText("in 2 d 21 h");
});

test("a message with the longest id that an index takes can be acted on", async ({ page }) => {
  await page.goto(`${product.url}/messages?outbox=odd&state=dead&q=ord-2`);
  await page.getByTestId("message-row").getByRole("link").first().tap();
  await page.getByRole("button", { name: "Retry now" }).tap();
  const dialog = page.getByRole("dialog", { name: "Retry 1 message" });
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("price added");
  await dialog.getByRole("button", { name: "Retry", exact: true }).tap();
  await expect(dialog.getByRole("status")).toHaveText("1 queued for another try.");
});

test("the page of a corrected copy holds still when it learns why no copy can be sent", async ({ page }) => {
  await page.addInitScript(() => {
    const seen = { sum: 0 };
    Object.assign(window, { seenShifts: seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) seen.sum += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(`${product.url}/messages/future/edit?outbox=odd`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Send a corrected copy");
  await expect(page.getByRole("status").filter({ hasText: "corrections" })).toBeVisible();
  const seen = () => page.evaluate(() => (window as unknown as { seenShifts: { sum: number } }).seenShifts.sum);
  expect(await seen()).toBeLessThan(0.01);
});
