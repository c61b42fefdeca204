import type { Page } from "@playwright/test";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { addEvents, emptyOutbox, OUTBOX, readRows } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

test.use({ baseURL: ({ operated }, use) => use(operated.url) });
test.beforeEach(({ operated }) => emptyOutbox(operated.database.pool));

/** Selects the messages, opens the dialog and gives a reason; the test submits it. */
async function prepareDeadLetter(page: Page, ids: readonly string[]) {
  await page.goto(`/messages?state=pending&outbox=${OUTBOX}`);
  for (const id of ids) await page.getByRole("checkbox", { name: new RegExp(id) }).click();
  await page
    .getByRole("toolbar")
    .getByRole("button", { name: /^Dead-letter/ })
    .click();
  const dialog = page.getByRole("dialog", { name: /^Dead-letter/ });
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("will never be accepted");
  return { dialog, send: dialog.getByRole("button", { name: "Dead-letter", exact: true }) };
}

const THREE = ["order-1", "order-2", "order-3"].map((aggregateId) => ({ aggregateId, eventType: "order.placed" }));

test("a message published in the meantime is left alone, and the page says so", { tag: IN_DEPTH }, async ({
  page,
  operated,
}) => {
  const { pool } = operated.database;
  const ids = await addEvents(pool, THREE);
  const { dialog, send } = await prepareDeadLetter(page, ids);
  await pool.query("UPDATE outbox_events SET published_at = now() WHERE id = $1", [ids[1]]);
  await send.click();

  await expect(dialog.getByRole("status")).toHaveText("2 dead-lettered, 1 skipped.");
  const skipped = dialog.locator("li[data-outcome=skipped]");
  await expect(skipped).toHaveCount(1);
  await expect(skipped).toContainText("It has changed since you looked: it is published now.");
  expect(Object.keys(await readRows(pool))).toEqual([ids[1]]);
  const { rows } = await pool.query("SELECT message_id FROM outbox_console.dead_letter ORDER BY message_id");
  expect(rows.map((row) => row.message_id)).toEqual([ids[0], ids[2]].sort());
});

test("a message that is gone is reported as gone", { tag: IN_DEPTH }, async ({ page, operated, expectedNoise }) => {
  // The message must be gone before the dialog looks at it.
  expectedNoise.push(/status of 404 .*\/messages\//);
  const { pool } = operated.database;
  const ids = await addEvents(pool, THREE);
  const { dialog, send } = await prepareDeadLetter(page, ids.slice(0, 1));
  await pool.query("DELETE FROM outbox_events WHERE id = $1", [ids[0]]);
  await send.click();
  await expect(dialog.getByRole("status")).toHaveText(/^None changed, 1 skipped\.$/);
  await expect(dialog.getByRole("listitem")).toContainText("not there any more");
});

test("two tabs act on the same messages at once: each message changes once, and both show the true result", async ({
  page,
  context,
  operated,
}) => {
  const { pool } = operated.database;
  const ids = await addEvents(pool, THREE);
  const other = await context.newPage();
  const tabs = [await prepareDeadLetter(page, ids), await prepareDeadLetter(other, ids)];
  await Promise.all(tabs.map(({ send }) => send.click()));

  for (const { dialog } of tabs) await expect(dialog.getByRole("listitem")).toHaveCount(3);
  const outcomes = await Promise.all(
    tabs.map(async ({ dialog }) => ({
      done: await dialog.locator("li[data-outcome=done]").count(),
      skipped: await dialog.locator("li[data-outcome=skipped]").count(),
    })),
  );
  expect(outcomes.reduce((sum, outcome) => sum + outcome.done, 0)).toBe(3);
  expect(outcomes.reduce((sum, outcome) => sum + outcome.skipped, 0)).toBe(3);
  const { rows } = await pool.query("SELECT message_id, count(*)::int AS count FROM outbox_console.audit GROUP BY 1");
  expect(rows.map((row) => row.count)).toEqual([1, 1, 1]);
  expect(await readRows(pool)).toEqual({});
});
