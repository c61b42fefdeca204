import type { PoolClient } from "pg";
import { Product } from "./fixtures/product.ts";
import { shoot } from "./fixtures/shoot.ts";
import { addEvents, createOutbox, operateConfig } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

const OLD_ROWS = 1_200;

let product: Product;
let report: PoolClient;

const config = (url: string) => {
  const { stores, outboxes } = operateConfig(url);
  const retention = { published: { keep: "14d" } };
  return { stores, outboxes: { orders: { ...outboxes.orders, retention, storage: { limitBytes: 80_000_000_000 } } } };
};

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  await createOutbox(database.pool);
  await database.pool.query(
    `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload, created_at, published_at)
     SELECT 'order', 'order-' || n, 'order.placed', '{}', now() - interval '30 days', now() - interval '30 days' FROM generate_series(1, $1) n`,
    [OLD_ROWS],
  );
  await addEvents(database.pool, [{ aggregateId: "order-1", eventType: "order.placed" }]);
  await database.pool.query("ANALYZE outbox_events");
  report = await database.pool.connect();
  product = await Product.start({ database, config });
});

test.afterAll(async () => {
  report.release(true);
  await product.close();
});

test("Storage says what retention would remove, who holds it back, and what was removed", async ({ page }) => {
  test.setTimeout(180_000);
  await report.query(
    "BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL application_name = 'billing-report'; SELECT count(*) FROM outbox_events",
  );
  await page.goto(`${product.url}/storage`);
  await expect(page.getByRole("heading", { name: "Storage of orders" })).toBeVisible();
  await expect(page.getByText("published 14 d, then delete").first()).toBeVisible();

  await page.getByRole("button", { name: "Dry run" }).click();
  const dryRun = page.getByRole("region", { name: "Dry run" });
  await expect(dryRun.getByText("1,200 rows")).toBeVisible();
  await expect(dryRun.getByText(/^DELETE FROM /)).toBeVisible();

  const holders = page.getByRole("region", { name: "Who holds back clean-up" });
  await expect(holders.getByText("billing-report").first()).toBeVisible();
  await expect(holders.getByText(/pg_cancel_backend/)).toBeVisible();
  await report.query("ROLLBACK");

  await product.startWorker({ owns: null });
  const run = page.getByRole("region", { name: "Retention" }).getByRole("row", { name: /published.*done/ });
  await expect(run.getByText("1,200")).toBeVisible();
  const { rows } = await product.database.pool.query("SELECT published_at FROM outbox_events");
  expect(rows).toEqual([{ published_at: null }]);
  await shoot(page, "storage");
});
