import type { AnswerRule, HttpReceiver } from "#tests/http-receiver.ts";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import type { Product } from "./fixtures/product.ts";
import { startRelayedShop } from "./fixtures/relayed-shop.ts";
import { addEvents } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

/** Numbers that a parser would round or print differently. */
const PAYLOAD = '{"invoice": 9007199254740993, "total": 1.10, "currency": "XBT", "note": "Größe <b>5</b>"}';
/** Only an operator retries while the test runs. */
const RETRY = { retry: { initial: "24h", max: "24h" } };

let product: Product;
let receiver: HttpReceiver;
let failedId: string;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  const answer: AnswerRule = ({ body }) =>
    body.includes("XBT") ? { status: 500, body: "no FX rate for XBT" } : { status: 204 };
  ({ product, receiver } = await startRelayedShop(database, { answer, relay: RETRY }));
  const [id] = await addEvents(database.pool, [
    { aggregateId: "invoice-7", eventType: "invoice.issued", payload: PAYLOAD },
    { aggregateId: "order-1", eventType: "order.placed" },
    { aggregateId: "order-2", eventType: "order.placed" },
  ]);
  failedId = id ?? "";
});

test.afterAll(async () => {
  await product.close();
  await receiver.close();
});

test("on-call finds a failed message, reads it, retries it and sees it published", async ({ page }) => {
  test.setTimeout(120_000);
  const { pool } = product.database;
  await page.goto(product.url);

  await test.step("from the overview to the message", async () => {
    const failed = page.getByRole("region", { name: "Figures" }).getByRole("link", { name: /^Failed/ });
    await expect(failed).toContainText("1");
    await failed.click();
    await expect(page).toHaveURL(/state=failed/);
    await expect(page.getByRole("navigation", { name: "Messages by state" })).toContainText(/Failed\s*1/);
    const row = page.getByTestId("message-row");
    await expect(row).toHaveCount(1);
    await expect(row).toContainText("no FX rate for XBT");
    await row.getByText("invoice.issued").click();
  });

  const panel = page.getByRole("complementary", { name: "Message" });
  await test.step("the payload is shown with its numbers exact", async () => {
    const tree = panel.getByTestId("payload-tree");
    await expect(tree).toContainText("9007199254740993");
    await expect(tree).toContainText("1.10");
    await expect(tree).toContainText("Größe <b>5</b>");
    await panel.getByRole("radiogroup", { name: "Show payload as" }).getByText("raw").click();
    await expect(panel.getByTestId("payload-raw")).toHaveText(PAYLOAD);
  });

  await test.step("the attempt shows its error, the box why the message is not moving", async () => {
    const attempts = panel.getByRole("region", { name: "Attempts" });
    await expect(attempts.getByRole("listitem")).toHaveCount(1);
    await expect(attempts).toContainText("HTTP 500: no FX rate for XBT");
    await expect(panel.getByRole("region", { name: "Why is it not moving?" })).toBeVisible();
  });

  receiver.answerWith({ status: 204 });
  await panel.getByRole("button", { name: "Retry now" }).click();
  const dialog = page.getByRole("dialog", { name: "Retry 1 message" });
  await test.step("the dialog asks for a reason and says what will happen", async () => {
    const send = dialog.getByRole("button", { name: "Retry", exact: true });
    await expect(send).toBeDisabled();
    await dialog.getByRole("textbox", { name: /Reason/ }).fill("FX rate for XBT added");
    await send.click();
  });

  await test.step("done appears once it is published, not when the button was pressed", async () => {
    await expect(dialog.getByRole("status")).toHaveText("1 queued for another try.");
    await expect(dialog.getByRole("listitem")).toContainText("published");
    await dialog.getByRole("button", { name: "Close" }).last().click();
  });

  const { rows } = await pool.query("SELECT published_at FROM outbox_events WHERE id = $1", [failedId]);
  expect(rows[0].published_at).not.toBeNull();
  const bodies = receiver.requests.filter((request) => request.body.includes("XBT")).map(({ body }) => body.toString());
  expect(bodies).toEqual([PAYLOAD, PAYLOAD]);

  await test.step("its page keeps the history", async () => {
    await page.goto(`${product.url}/messages/${failedId}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("invoice.issued");
    const attempts = page.getByRole("region", { name: "Attempts" }).getByRole("listitem");
    await expect(attempts).toHaveCount(2);
    await expect(attempts.first()).toContainText("published");
    await expect(attempts.last()).toContainText("HTTP 500: no FX rate for XBT");
    const audit = page.getByRole("table", { name: "Audit" });
    await expect(audit).toContainText("FX rate for XBT added");
    await expect(audit).toContainText("done");
  });
});

test("the failure group leads to its messages, and a typed filter appears in the address", {
  tag: IN_DEPTH,
}, async ({ page }) => {
  receiver.answerWith(({ body }) =>
    body.includes("unlucky") ? { status: 422, body: "unknown SKU" } : { status: 204 },
  );
  await addEvents(product.database.pool, [
    { aggregateId: "order-8", eventType: "order.placed", payload: '{"sku": "unlucky"}' },
    { aggregateId: "order-9", eventType: "order.placed", payload: '{"sku": "unlucky"}' },
  ]);
  await page.goto(`${product.url}/failures`);
  await expect(page.getByRole("main")).toContainText("unknown SKU");
  await page.getByRole("link", { name: /^Open/ }).click();
  await page.getByRole("link", { name: "open as a list" }).click();
  await expect(page.getByTestId("filter-chip")).toHaveText(/^group HTTP 422: unknown SKU/);

  await page.goto(`${product.url}/messages?state=dead`);
  await expect(page.getByTestId("message-row")).toHaveCount(2);
  const filter = page.getByRole("textbox", { name: /^Filter by an exact id/ });
  await filter.fill("aggregate:order-9");
  await filter.press("Enter");
  await expect(page).toHaveURL(/aggregateId=order-9/);
  await expect(page.getByTestId("filter-chip")).toHaveText(/order-9/);
  await expect(page.getByTestId("message-row")).toHaveCount(1);
  await page.goBack();
  await expect(page.getByTestId("message-row")).toHaveCount(2);
});
