import { Product } from "./fixtures/product.ts";
import { operateConfig } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

let product: Product;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  await database.pool.query(
    `CREATE TABLE outbox_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_type text NOT NULL, aggregate_id text NOT NULL,
       event_type text NOT NULL, payload json NOT NULL, headers jsonb, created_at timestamptz NOT NULL DEFAULT clock_timestamp(), published_at timestamptz)`,
  );
  await database.pool.query(
    `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload, headers, published_at)
     SELECT 'order', 'order-' || n, CASE WHEN n <= 3 THEN 'order.placed' ELSE 'order.paid' END, '{}',
       jsonb_build_object('traceparent', CASE WHEN n <= 3 THEN $1 ELSE '00-' || md5(n::text) || '-00f067aa0ba902b7-00' END),
       CASE WHEN n = 2 THEN now() END
     FROM generate_series(1, 8) n`,
    [TRACEPARENT],
  );
  product = await Product.start({ database, config: operateConfig });
});

test.afterAll(async () => {
  await product.close();
});

test("from a message to all messages of its trace, and from a pasted traceparent to the same", async ({ page }) => {
  const rows = page.getByTestId("message-row");
  await page.goto(`${product.url}/messages`);
  await rows.filter({ hasText: "order-1" }).click();
  const panel = page.getByRole("complementary", { name: "Message" });
  await panel.getByRole("link", { name: "Messages of this trace" }).click();
  await expect(page).toHaveURL(new RegExp(`traceId=${TRACE}`));
  await expect(rows).toHaveCount(3);
  const chip = page.getByTestId("filter-chip");
  await expect(chip).toContainText(`trace ${TRACE}`);

  await page.getByRole("button", { name: /^Remove the filter trace/ }).click();
  await expect(rows).toHaveCount(8);
  const field = page.getByRole("textbox", { name: "Filter by an exact id, aggregate or type" });
  await field.fill(TRACEPARENT);
  await field.press("Enter");
  await expect(rows).toHaveCount(3);
  const exported = await page.request.get(
    `${product.url}/api/v1/outboxes/orders/messages/export?state=all&format=csv&traceId=${TRACE}`,
  );
  expect((await exported.text()).trim().split("\n")).toHaveLength(4);
});

test("what is no trace id is refused in words, and its chip can be removed", async ({ page, expectedNoise }) => {
  expectedNoise.push(/status of 400 .*\/messages\?/);
  await page.goto(`${product.url}/messages?state=all&traceId=order-1`);
  await expect(page.getByText(/no trace id/).first()).toBeVisible();
  await page.getByRole("button", { name: /^Remove the filter trace/ }).click();
  await expect(page.getByTestId("message-row")).toHaveCount(8);
});
