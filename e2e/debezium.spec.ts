import { type ConnectStandIn, startConnectStandIn } from "#tests/connect-stand-in.ts";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { Product } from "./fixtures/product.ts";
import { shoot } from "./fixtures/shoot.ts";
import { addEvents, createOutbox, operateConfig } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

let product: Product;
let connect: ConnectStandIn;
let dropSlot: () => Promise<unknown>;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const { pool, ...database } = await makeDatabase("migrated");
  const slot = `slot_${database.name}`;
  connect = await startConnectStandIn();
  await createOutbox(pool);
  await pool.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [slot]);
  await pool.query("CREATE TABLE bulk AS SELECT repeat('x', 200) FROM generate_series(1, 20000)");
  await addEvents(pool, [{ aggregateId: "order-1", eventType: "order.placed" }]);
  dropSlot = () => pool.query("SELECT pg_drop_replication_slot($1)", [slot]);
  const config = (url: string) => {
    const { stores, outboxes } = operateConfig(url);
    const relay = { source: "debezium", connect: connect.url, connector: "orders-connector", slot };
    return { stores, outboxes: { orders: { ...outboxes.orders, relay } } };
  };
  product = await Product.start({ database: { pool, ...database }, config });
});

test.afterAll(async () => {
  await dropSlot();
  await product.close();
  await connect.close();
});

test("a paused connector is named with the log that it keeps, and is resumed with a reason", async ({ page }) => {
  if (connect.connector) {
    connect.connector.state = "PAUSED";
    connect.connector.tasks = [{ id: 0, state: "PAUSED" }];
  }
  await page.goto(`${product.url}/relays?outbox=orders`);
  const card = page.getByTestId("connector");
  await expect(card).toHaveAttribute("data-state", "PAUSED");
  await expect(card).toContainText(/The server keeps [\d.]+ MB of log for the slot/);
  await shoot(page, "paused");
  await card.getByText("Configuration in Kafka Connect").click();
  await expect(card).toContainText("database.password = ••••••");
  await card.getByRole("button", { name: "Resume" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("INC-7 is over");
  await dialog.getByRole("button", { name: "Resume" }).click();
  await expect(card).toHaveAttribute("data-state", "RUNNING");
  await expect(dialog).toBeHidden();
  await shoot(page, "healthy");
});

test("an empty list of what is not published is not called empty", async ({ page }) => {
  await page.goto(`${product.url}/messages?outbox=orders&state=unsent`);
  await expect(page.getByText("No row is known to be not published.")).toBeVisible();
  await expect(page.getByText("Nothing is waiting")).toBeHidden();
});

test("a task that failed shows the first line of its trace and the button that restarts it", {
  tag: IN_DEPTH,
}, async ({ page }) => {
  const trace = "org.apache.kafka.connect.errors.ConnectException: the topic is not there\n\tat io.debezium.X";
  if (connect.connector) connect.connector.tasks = [{ id: 0, state: "FAILED", trace }];
  await page.goto(`${product.url}/relays?outbox=orders`);
  const card = page.getByTestId("connector");
  await expect(card).toContainText(
    "Task 0 failed: org.apache.kafka.connect.errors.ConnectException: the topic is not there",
  );
  await expect(card.getByRole("button", { name: "Restart task 0" })).toBeEnabled();
  await shoot(page, "failed");
  await page.goto(`${product.url}/stuck?outbox=orders`);
  await expect(page.getByText(/task 0 of the connector orders-connector failed/).first()).toBeVisible();
  await shoot(page, "stuck");
  await page.goto(`${product.url}/?outbox=orders`);
  await expect(page.getByText(/task 0 of the connector orders-connector failed/).first()).toBeVisible();
  await shoot(page, "overview");
});
