import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { Product } from "./fixtures/product.ts";
import { expect, test } from "./fixtures/test.ts";

/** Four tables of one store: one without a relay, one with a young message, two idle. */
const TABLES_SQL = `
CREATE TABLE stock_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_type text NOT NULL, aggregate_id text NOT NULL,
  event_type text NOT NULL, payload json NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz);
CREATE TABLE order_events (LIKE stock_events INCLUDING ALL);
CREATE TABLE coupon_events (LIKE stock_events INCLUDING ALL);
CREATE TABLE review_events (LIKE stock_events INCLUDING ALL);
INSERT INTO stock_events (aggregate_type, aggregate_id, event_type, payload, created_at)
  SELECT 'stock', 'stock-' || n, 'stock.reserved', '{}', now() - interval '14 minutes' FROM generate_series(1, 7) n;
INSERT INTO order_events (aggregate_type, aggregate_id, event_type, payload, created_at)
  SELECT 'order', 'order-' || n, 'order.placed', '{}', now() - interval '2 minutes' FROM generate_series(1, 3) n`;

const NAMES = ["coupons", "orders", "reviews", "stock"] as const;
const TABLE_OF = { coupons: "coupon_events", orders: "order_events", reviews: "review_events", stock: "stock_events" };

const config = (url: string) => ({
  environment: "production",
  stores: { shop: { kind: "postgres", url } },
  outboxes: Object.fromEntries(
    NAMES.map((name) => [name, { store: "shop", table: `public.${TABLE_OF[name]}`, mode: "operate" }]),
  ),
});

let product: Product;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  await database.pool.query(TABLES_SQL);
  product = await Product.start({ database, config });
});

test.afterAll(() => product.close());

test("/ shows every outbox, worst first, with the cause in its own banner's words", async ({ page, expectedNoise }) => {
  // On a busy machine the first lines of the fleet may time out; they are drawn with the next read.
  expectedNoise.push(/status of 503 .*\/series\?/);
  await page.goto(`${product.url}/`);
  const banner = page.getByRole("region", { name: "Verdict" });
  await expect(banner.getByRole("heading", { level: 1 })).toContainText("2 of 4 late");
  const rows = page.getByTestId("fleet-row");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText("stock");
  await expect(rows.nth(0)).toContainText("14 m");
  await expect(rows.nth(1)).toContainText("orders");
  const cause = (await rows.nth(0).getByRole("cell").last().innerText()).split(" · ")[0] ?? "";

  await test.step("delivering outboxes are folded into one line", async () => {
    const line = page.getByTestId("healthy-line");
    await expect(line).toContainText("2 more coupons, reviews");
    await line.getByRole("button", { name: "Show them" }).click();
    await expect(rows).toHaveCount(4);
    await line.getByRole("button", { name: "Hide them" }).click();
    await expect(rows).toHaveCount(2);
  });

  await test.step("the figures are sums, and the stores are listed", async () => {
    const figures = page.getByRole("region", { name: "Figures" });
    await expect(figures.getByRole("link")).toHaveCount(6);
    await expect(figures.getByRole("link", { name: /^Waiting/ })).toContainText("10");
    await expect(figures.getByRole("link", { name: /^Oldest/ })).toContainText("stock");
    await expect(page.getByRole("table", { name: "Stores" })).toContainText("shop");
  });

  await test.step("a click opens one outbox with the same words and puts it into the address", async () => {
    await rows.nth(0).getByRole("link", { name: "stock" }).click();
    await expect(page).toHaveURL(/\/\?outbox=stock$/);
    await expect(banner.getByRole("heading", { level: 1 })).toContainText(cause.slice(0, 40));
    await expect(page.getByRole("region", { name: "Figures" })).toContainText("Oldest not published");
  });
});

test("the picker leads to one outbox and back to all of them, each with its state", { tag: IN_DEPTH }, async ({
  page,
}) => {
  await page.goto(`${product.url}/`);
  const picker = page.getByRole("button", { name: /^Outbox: .+, change$/ });
  await expect(picker).toHaveText("All outboxes");
  await picker.click();
  const items = page.getByRole("menuitem");
  await expect(items).toHaveText([/All outboxes/, /stock/, /orders/, /coupons/, /reviews/]);
  await expect(items.nth(1).getByRole("img")).not.toHaveAccessibleName("delivering");
  await expect(items.nth(4).getByRole("img")).toHaveAccessibleName("delivering");
  await items.nth(4).click();
  await expect(page).toHaveURL(/\/\?outbox=reviews$/);
  await expect(picker).toHaveText("reviews");
  await picker.click();
  await page.getByRole("menuitem", { name: "All outboxes" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByTestId("fleet-row")).toHaveCount(2);
});

test("other pages open on the worst outbox and keep its name in the address", { tag: IN_DEPTH }, async ({ page }) => {
  await page.goto(`${product.url}/`);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Messages" }).click();
  await expect(page).toHaveURL(/\/messages\?outbox=stock$/);
  await expect(page.getByTestId("message-row")).toHaveCount(7);
  await page.goto(`${product.url}/stuck`);
  await expect(page).toHaveURL(/\/stuck\?outbox=stock$/);
});
