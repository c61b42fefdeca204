import type { Locator, Page } from "@playwright/test";
import type { HttpReceiver } from "#tests/http-receiver.ts";
import { askByKey } from "./fixtures/ask-by-key.ts";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import type { Product } from "./fixtures/product.ts";
import { startRelayedShop } from "./fixtures/relayed-shop.ts";
import { addEvents, countUnpublished, emptyOutbox } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

const MESSAGES = 240;

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

/** Events that the receiver has rejected, all with one error. */
test.beforeEach(async () => {
  const { pool } = product.database;
  await emptyOutbox(pool);
  receiver.answerWith({ status: 422, body: "no FX rate for XBT" });
  const aggregates = Array.from({ length: MESSAGES }, (_, index) => `order-${index}`);
  await addEvents(
    pool,
    aggregates.map((aggregateId) => ({ aggregateId, eventType: "order.placed" })),
  );
  await expect
    .poll(async () => (await pool.query("SELECT count(*)::int AS count FROM outbox_console.dead_letter")).rows[0].count)
    .toBe(MESSAGES);
});

const headline = (page: Page) => page.getByRole("heading", { level: 1 });
const previewOf = (page: Page, action: string) => page.getByRole("dialog", { name: `${action} ${MESSAGES} messages` });

async function giveReason(page: Page, button: string, reason: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /Reason/ }).fill(reason);
  await dialog.getByRole("button", { name: button }).click();
}

test("retries a failure group in at most 5 clicks, and says when every outcome is known", async ({ page }) => {
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  await page.goto(`${product.url}/failures`);
  receiver.answerWith({ status: 204 });

  await click(page.getByRole("link", { name: /^Open/ }));
  await expect(headline(page)).toHaveText(/no FX rate for XBT/);
  await expect(page.getByRole("region", { name: "Sample in full" })).toContainText("HTTP 422: no FX rate for XBT");
  await expect(page.getByRole("region", { name: "Where" })).toContainText("Relay of the last failed attempt");
  await click(page.getByRole("button", { name: `Retry ${MESSAGES}…` }));
  await expect(previewOf(page, "Retry")).toContainText("order.placed");
  await expect(page.getByRole("textbox", { name: /Reason/ })).toBeFocused();
  await page.keyboard.type("FX rate for XBT added");
  await click(page.getByRole("button", { name: `Retry ${MESSAGES}`, exact: true }));

  await expect(page).toHaveURL(/\/operations\/[0-9a-f-]{36}/);
  await expect(headline(page)).toHaveText(`Retried ${MESSAGES} messages: all published`);
  expect(clicks).toBeLessThanOrEqual(5);
  expect(await countUnpublished(product.database.pool)).toBe(0);
  await expect(page.getByRole("table", { name: "Items" })).not.toContainText("waiting");
  await expect(
    page.getByRole("img", { name: `${MESSAGES} published, 0 failed again, 0 skipped, 0 left` }),
  ).toBeVisible();

  await page.goto(`${product.url}/operations`);
  const row = page
    .getByRole("table", { name: "Operations" })
    .getByRole("row")
    .filter({ hasText: "FX rate for XBT added" });
  await expect(row).toContainText(`Retry ${MESSAGES} messages`);
  await expect(row).toContainText("all published");
});

test("a start whose answer is lost is begun once, however often it is pressed", async ({ page, expectedNoise }) => {
  expectedNoise.push(/ERR_INTERNET_DISCONNECTED .*\/operations\)/);
  const { pool } = product.database;
  const begun = async () =>
    (await pool.query("SELECT count(*)::int AS count FROM outbox_console.operation")).rows[0].count;
  const before = await begun();
  receiver.answerWith({ status: 204 });
  await page.goto(`${product.url}/messages?state=dead`);
  await expect(page.getByTestId("message-row")).toHaveCount(50);
  await page.keyboard.press("A");
  await askByKey(page, "r", previewOf(page, "Retry"));
  await expect(previewOf(page, "Retry")).toContainText("order.placed");
  const dialog = page.getByRole("dialog");
  const answer = Promise.withResolvers<void>();
  await page.route("**/operations", async (route) => {
    await route.fetch();
    await answer.promise;
    await route.abort("internetdisconnected");
  });
  await giveReason(page, `Retry ${MESSAGES}`, "FX rate for XBT added");
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("button", { name: "Close" })).toBeDisabled();
  answer.resolve();
  await expect(dialog).toContainText("The start is not confirmed.");
  await expect(dialog).toContainText(`press Retry ${MESSAGES} again, which starts it at most once`);
  await expect(dialog.getByRole("button", { name: /again/ })).toHaveCount(0);
  await expect(dialog.getByRole("textbox", { name: /Reason/ })).toBeDisabled();
  const start = dialog.getByRole("button", { name: `Retry ${MESSAGES}`, exact: true });
  await expect(start).toBeFocused();
  await page.unroute("**/operations");
  await start.press("Enter");
  await expect(headline(page)).toHaveText(`Retried ${MESSAGES} messages: all published`);
  expect(await begun()).toBe(before + 1);
});

test("halts when the canary fails again, and the rest can be cancelled and retried later", { tag: IN_DEPTH }, async ({
  page,
}) => {
  await page.goto(`${product.url}/failures`);
  await page.getByRole("link", { name: /^Open/ }).click();
  await page.getByRole("button", { name: `Retry ${MESSAGES}…` }).click();
  await expect(previewOf(page, "Retry")).toContainText("10 first");
  await giveReason(page, `Retry ${MESSAGES}`, "trying again");
  await expect(headline(page)).toHaveText(new RegExp(`^Halted: retrying ${MESSAGES} messages`));
  await page
    .getByRole("navigation", { name: "Items by outcome" })
    .getByRole("button", { name: /^Failed again/ })
    .click();
  await expect(page.getByRole("table", { name: "Items" }).getByRole("row")).toHaveCount(11);

  await test.step("every page says that it waits for a person", async () => {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Overview" }).click();
    const line = page.getByRole("complementary", { name: "Running operations" });
    await expect(line).toContainText(`Halted: retrying ${MESSAGES}`);
    await line.getByRole("link").click();
  });

  await page.getByRole("button", { name: /^Cancel the rest/ }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Cancel", exact: true })).toHaveCount(0);
  await page.getByRole("dialog").getByRole("button", { name: "Let it continue" }).click();
  await page.getByRole("button", { name: /^Cancel the rest/ }).click();
  await giveReason(page, "Cancel the rest", "the price list is still missing");
  await expect(headline(page)).toHaveText(`Cancelled: 10 failed again, ${MESSAGES - 10} left as they were`);

  receiver.answerWith({ status: 204 });
  await page.getByRole("button", { name: `Retry the rest, ${MESSAGES}…` }).click();
  await expect(previewOf(page, "Retry")).toBeVisible();
  await giveReason(page, `Retry ${MESSAGES}`, "price list is back");
  await expect(headline(page)).toHaveText(`Retried ${MESSAGES} messages: all published`);
});

test("above 1,000 messages, Ctrl with Enter starts from the field of the number as well", async ({ page }) => {
  const { pool } = product.database;
  const more = Array.from({ length: 1001 - MESSAGES }, (_, index) => `more-${index}`);
  await addEvents(
    pool,
    more.map((aggregateId) => ({ aggregateId, eventType: "order.placed" })),
  );
  await expect
    .poll(async () => (await pool.query("SELECT count(*)::int AS count FROM outbox_console.dead_letter")).rows[0].count)
    .toBe(1001);
  await page.goto(`${product.url}/messages?state=dead`);
  await expect(page.getByTestId("message-row")).toHaveCount(50);
  await page.keyboard.press("A");
  const dialog = page.getByRole("dialog", { name: "Archive 1,001 messages" });
  await askByKey(page, "e", dialog);
  await expect(dialog.getByRole("textbox", { name: /Reason/ })).toBeFocused();
  await page.keyboard.type("no");
  await expect(dialog).toContainText("At least 3 characters.");
  await page.keyboard.type("t wanted");
  await expect(dialog).not.toContainText("At least 3 characters.");
  await dialog.getByRole("textbox", { name: "Type 1,001 to continue" }).fill("1001");
  await page.keyboard.press("Control+Enter");
  await expect(headline(page)).toHaveText("Archived 1,001 messages: all done");
});

test("by keyboard alone: archives all that match a filter, and undoes it", { tag: IN_DEPTH }, async ({ page }) => {
  const { pool } = product.database;
  await page.goto(`${product.url}/messages?state=dead`);
  await expect(page.getByTestId("message-row")).toHaveCount(50);
  await page.keyboard.press("A");
  await expect(page.getByTestId("selection-bar")).toContainText(`All ${MESSAGES} that match selected`);
  await askByKey(page, "e", previewOf(page, "Archive"));
  await expect(page.getByRole("textbox", { name: /Reason/ })).toBeFocused();
  await page.keyboard.type("handled by hand");
  await page.keyboard.press("Control+Enter");
  await expect(headline(page)).toHaveText(`Archived ${MESSAGES} messages: all done`);
  const archived = async () =>
    (await pool.query("SELECT count(*)::int AS count FROM outbox_console.archive")).rows[0].count;
  expect(await archived()).toBe(MESSAGES);

  await askByKey(page, "u", previewOf(page, "Restore"));
  await expect(page.getByRole("textbox", { name: /Reason/ })).toBeFocused();
  await page.keyboard.type("archived by mistake");
  await page.keyboard.press("Control+Enter");
  await expect(headline(page)).toHaveText(`Restored ${MESSAGES} messages: all done`);
  expect(await archived()).toBe(0);
});

/** The rest of what operators do while on call, each in as few clicks as are counted. */
test.describe("on call", () => {
  const dialog = (page: Page) => page.getByRole("dialog");
  const reason = (page: Page) => dialog(page).getByRole("textbox", { name: /Reason/ });

  function countClicks(): { click: (target: Locator) => Promise<void>; clicks: () => number } {
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    return { click, clicks: () => clicks };
  }

  async function confirmByKeys(page: Page, text: string): Promise<void> {
    await expect(reason(page)).toBeFocused();
    await page.keyboard.type(text);
    await page.keyboard.press("Control+Enter");
  }

  test("by keyboard alone: finds the messages of an aggregate and retries them", { tag: IN_DEPTH }, async ({
    page,
  }) => {
    receiver.answerWith({ status: 204 });
    await page.goto(`${product.url}/messages?state=dead`);
    await expect(page.getByTestId("message-row")).toHaveCount(50);
    await page.keyboard.press("/");
    await page.keyboard.type("aggregate:order-7");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("message-row")).toHaveCount(1);
    await page.keyboard.press("Escape");
    await page.keyboard.press("X");
    await askByKey(page, "r", dialog(page));
    await confirmByKeys(page, "customer asked");
    await expect
      .poll(async () => (await product.database.pool.query("SELECT 1 FROM outbox_console.dead_letter")).rows.length)
      .toBe(MESSAGES - 1);
  });

  test("by keyboard alone: re-publishes what was published, marked, and leaves its rows as they are", {
    tag: IN_DEPTH,
  }, async ({ page }) => {
    const { pool } = product.database;
    receiver.answerWith({ status: 204 });
    const ids = await addEvents(
      pool,
      Array.from({ length: 60 }, (_, n) => ({ aggregateId: `invoice-${n}`, eventType: "invoice.sent" })),
    );
    await expect.poll(() => countUnpublished(pool)).toBe(0);
    const rows = async () => (await pool.query("SELECT xmin, * FROM outbox_events ORDER BY id")).rows;
    const before = await rows();
    const sent = receiver.requests.length;
    await page.goto(`${product.url}/messages?state=published&eventType=invoice.sent`);
    await expect(page.getByTestId("message-row")).toHaveCount(50);
    await page.keyboard.press("A");
    await expect(page.getByTestId("selection-bar")).toContainText("All 60 that match selected");
    await askByKey(page, "b", dialog(page));
    await expect(dialog(page)).toContainText("No inbox says which of them consumers have processed");
    await confirmByKeys(page, "ledger lost a day");
    await expect(headline(page)).toHaveText("Re-published 60 messages: all published");
    const again = receiver.requests.slice(sent);
    expect(again.map(({ headers }) => String(headers["webhook-id"])).toSorted()).toEqual(ids.toSorted());
    const operation = page.url().match(/[0-9a-f-]{36}/)?.[0];
    expect(again.every(({ headers }) => headers["outbox-replay"] === operation)).toBe(true);
    expect(await rows()).toEqual(before);
  });

  test("dead-letters one message in 3 clicks, and takes it back in 3 more", async ({ page }) => {
    const { pool } = product.database;
    receiver.answerWith({ status: 500, body: "try later" });
    // The second waits behind the first, so nothing but the operator changes it.
    await addEvents(pool, [
      { aggregateId: "invoice-1", eventType: "invoice.sent" },
      { aggregateId: "invoice-1", eventType: "invoice.paid" },
    ]);
    await expect.poll(async () => (await pool.query("SELECT 1 FROM outbox_console.delivery")).rows.length).toBe(1);
    const { click, clicks } = countClicks();
    await page.goto(`${product.url}/messages?state=pending`);
    await click(page.getByTestId("message-row").first().getByRole("cell").nth(2));
    const panel = page.getByTestId("message-panel");
    await click(panel.getByRole("button", { name: "Dead-letter", exact: true }));
    await reason(page).fill("the ledger is closed");
    await click(dialog(page).getByRole("button", { name: "Dead-letter", exact: true }));
    await expect(dialog(page)).toContainText("1 dead-lettered.");
    expect(clicks()).toBe(3);
    await click(dialog(page).getByRole("button", { name: "Close", exact: true }).last());
    await click(panel.getByRole("button", { name: "Retry now" }));
    await reason(page).fill("the ledger is open again");
    await click(dialog(page).getByRole("button", { name: "Retry", exact: true }));
    await expect(dialog(page)).toContainText("1 queued for another try.");
    expect(clicks()).toBe(6);
    receiver.answerWith({ status: 204 });
    await expect.poll(() => countUnpublished(pool)).toBe(0);
  });

  test("dead-letters what waits in 5 clicks, and undoes it in 2 more", { tag: IN_DEPTH }, async ({ page }) => {
    const { pool } = product.database;
    receiver.answerWith({ status: 500 });
    await addEvents(pool, Array(61).fill({ aggregateId: "invoice-1", eventType: "invoice.sent" }));
    await expect.poll(async () => (await pool.query("SELECT 1 FROM outbox_console.delivery")).rows.length).toBe(1);
    const { click, clicks } = countClicks();
    await page.goto(`${product.url}/messages?state=pending`);
    await expect(page.getByTestId("message-row")).toHaveCount(50);
    await click(page.getByRole("checkbox", { name: "Select all rows shown" }));
    await click(page.getByRole("button", { name: "select all 60 that match" }));
    await click(page.getByTestId("selection-bar").getByRole("button", { name: /^Dead-letter 60…/ }));
    await reason(page).fill("the ledger is closed");
    await click(dialog(page).getByRole("button", { name: "Dead-letter 60", exact: true }));
    await expect(headline(page)).toHaveText("Dead-lettered 60 messages: all done");
    await expect(page).toHaveTitle(/^Dead-lettered 60 messages: all done · /);
    expect(clicks()).toBeLessThanOrEqual(5);
    receiver.answerWith({ status: 204 });
    await click(page.getByRole("button", { name: /^Undo: retry 60…/ }));
    await expect(dialog(page).getByRole("region", { name: "Pace" })).toContainText("Change the pace");
    for (const name of ["Change the pace", "Undo these changes"])
      await dialog(page).getByRole("button", { name }).click();
    await expect(dialog(page).getByRole("region", { name: "Pace" }), "no canary").not.toContainText("10 first");
    await reason(page).fill("the ledger is open again");
    await click(dialog(page).getByRole("button", { name: "Retry 60", exact: true }));
    await expect(headline(page)).toHaveText("Retried 60 messages: all published");
    expect(clicks()).toBeLessThanOrEqual(7);
  });

  test("pauses an operation that runs in 2 clicks, and resumes it in 2 more", { tag: IN_DEPTH }, async ({ page }) => {
    await page.goto(`${product.url}/failures`);
    await page.getByRole("link", { name: /^Open/ }).click();
    receiver.answerWith({ status: 204 });
    await page.getByRole("button", { name: `Retry ${MESSAGES}…` }).click();
    await dialog(page).getByRole("button", { name: "Change the pace" }).click();
    await dialog(page).getByRole("textbox", { name: "Rate" }).fill("60");
    await giveReason(page, `Retry ${MESSAGES}`, "FX rate for XBT added");
    const { click, clicks } = countClicks();
    await click(page.getByRole("button", { name: /^Pause…/ }));
    await reason(page).fill("the receiver is slow");
    await click(dialog(page).getByRole("button", { name: "Pause", exact: true }));
    await expect(headline(page)).toHaveText(/^Paused: retrying/);
    expect(clicks()).toBe(2);
    await click(page.getByRole("button", { name: /^Resume…/ }));
    await reason(page).fill("it keeps up again");
    await click(dialog(page).getByRole("button", { name: "Resume", exact: true }));
    await expect(headline(page)).toHaveText(`Retried ${MESSAGES} messages: all published`);
    expect(clicks()).toBe(4);
  });

  test("pauses a type from its failure group in 3 clicks", { tag: IN_DEPTH }, async ({ page }) => {
    const { click, clicks } = countClicks();
    await page.goto(`${product.url}/failures`);
    await click(page.getByRole("link", { name: /^Open/ }));
    await click(page.getByRole("button", { name: "Pause type…" }));
    await reason(page).fill("until the price list is back");
    await click(dialog(page).getByRole("button", { name: "Pause", exact: true }));
    await expect(page.getByRole("button", { name: "Resume type…" })).toBeVisible();
    expect(clicks()).toBe(3);
    await product.database.pool.query("DELETE FROM outbox_console.pause");
  });

  test("exports what a filter matches in 2 clicks", { tag: IN_DEPTH }, async ({ page }) => {
    const { click, clicks } = countClicks();
    await page.goto(`${product.url}/messages?state=dead`);
    await expect(page.getByTestId("message-row")).toHaveCount(50);
    await click(page.getByRole("button", { name: "Export" }));
    const downloading = page.waitForEvent("download");
    await click(page.getByRole("menuitem", { name: /CSV/ }).first());
    expect((await downloading).suggestedFilename()).toMatch(/\.csv$/);
    expect(clicks()).toBe(2);
  });
});
