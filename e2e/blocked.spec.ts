import type { Page } from "@playwright/test";
import { type RelayedShop, startRelayedShop } from "./fixtures/relayed-shop.ts";
import { addEvents, OUTBOX } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

let shop: RelayedShop;

test.afterEach(async () => {
  await shop.product.close();
  await shop.receiver.close();
});

/** What was wrong is corrected, and sent as a copy; the relay publishes it. */
async function sendCorrectedCopy(page: Page): Promise<void> {
  await page.keyboard.press("c");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Send a corrected copy of order.placed");
  const payload = page.getByRole("textbox", { name: "Payload" });
  await expect(payload).toHaveValue(/"ledger": 9007199254740993/);
  const difference = page.getByRole("button", { name: "See the difference…" });
  // A page that is still arriving may be mounted once more, with the text as it was.
  await expect(async () => {
    await payload.fill((await payload.inputValue()).replace("XBT", "EUR"));
    await expect(difference).toBeEnabled({ timeout: 2000 });
  }).toPass();
  await difference.click();
  await expect(page.getByTestId("diff").first()).toContainText("1 line added, 1 line removed");
  await page.getByRole("textbox", { name: /Reason/ }).fill("INC-42");
  await page.getByRole("button", { name: "Send the copy" }).click();
  await page.getByRole("link", { name: "Open the copy" }).click();
  await expect(page.getByText("This is a corrected copy of")).toBeVisible();
}

test("blocked aggregates: what holds each up, how many wait, and the keys that let the rest pass", async ({
  page,
  makeDatabase,
}) => {
  test.setTimeout(120_000);
  const database = await makeDatabase("migrated");
  const refuse = { status: 500, body: "no FX rate for XBT" };
  shop = await startRelayedShop(database, {
    answer: ({ body }) => (body.includes("XBT") ? refuse : { status: 204 }),
    relay: { retry: { initial: "60s", max: "60s" } },
    outbox: { corrections: true },
  });
  const of = (aggregateId: string, currency: string) => ({
    aggregateId,
    eventType: "order.placed",
    payload: `{"currency": "${currency}", "total": 12.10, "ledger": 9007199254740993}`,
  });
  await addEvents(database.pool, [
    ...["XBT", "EUR", "EUR", "EUR"].map((currency) => of("order-1", currency)),
    ...["XBT", "EUR"].map((currency) => of("order-2", currency)),
    of("order-3", "EUR"),
  ]);
  await page.goto(`${shop.product.url}/blocked?outbox=${OUTBOX}`);
  const rows = page.getByTestId("blocked-aggregate");
  await expect(rows).toHaveCount(2);
  const first = rows.filter({ hasText: "order/order-1" });
  await expect(first).toContainText("no FX rate for XBT");
  await expect(first.getByRole("cell").nth(2)).toHaveText("3");

  await page.keyboard.press("j");
  await expect(rows.first()).toHaveAttribute("data-current", "true");
  const held = (await rows.first().getAttribute("data-aggregate")) ?? "";
  const pause = page.getByRole("dialog", { name: `Pause aggregate ${held}` });
  // A key is not taken while the action is not possible, such as before it is known who is there.
  await expect(async () => {
    await page.keyboard.press("h");
    await expect(pause).toBeVisible({ timeout: 3000 });
  }).toPass();
  await pause.getByRole("textbox", { name: /Reason/ }).fill("INC-42");
  await pause.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(rows.first()).toContainText("also paused by");

  const other = rows.nth(1);
  await other.getByRole("button", { name: /^Dead-letter head/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Dead-letter/ });
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-42");
  await dialog.getByRole("button", { name: "Dead-letter", exact: true }).click();
  await expect(dialog.getByRole("status")).toHaveText("1 dead-lettered.");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toHaveAttribute("data-aggregate", held);

  await page.keyboard.press("m");
  await expect(page).toHaveURL(/\/messages\?.*aggregateId=order-/);

  const blocked = (await (await fetch(`${shop.product.url}/api/v1/outboxes/${OUTBOX}/blocked`)).json()).aggregates[0];
  await page.goto(`${shop.product.url}/messages/${blocked.head.id}?outbox=${OUTBOX}`);
  await expect(page.getByRole("link", { name: "Edit and retry…" })).toBeVisible();
  await sendCorrectedCopy(page);
  await page.getByText("This is a corrected copy of").getByRole("link").click();
  await expect(page.getByText("A corrected copy was sent instead:")).toBeVisible();
  await page.close();
});
