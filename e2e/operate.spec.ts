import { readFile } from "node:fs/promises";
import type { Pool } from "pg";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { act, openTab, select } from "./fixtures/operator.ts";
import { addEvents, emptyOutbox, OUTBOX, readRows } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

test.use({ baseURL: ({ operated }, use) => use(operated.url) });
test.beforeEach(({ operated }) => emptyOutbox(operated.database.pool));

const countRows = async (pool: Pool, table: string): Promise<number> => {
  const { rows } = await pool.query(`SELECT count(*)::int AS count FROM ${table}`);
  return rows[0].count;
};

test("dead-letters, archives and restores a selection, and every row comes back unchanged", {
  tag: IN_DEPTH,
}, async ({ page, operated }) => {
  test.setTimeout(120_000);
  const { pool } = operated.database;
  const ids = await addEvents(
    pool,
    Array.from({ length: 5 }, (_, index) => ({
      aggregateId: `order-${index}`,
      eventType: "order.placed",
      payload: `{"n": ${index}, "total": 1.10, "big": 9007199254740993}`,
    })),
  );
  const original = await readRows(pool);
  const chosen = ids.slice(1, 4);

  await openTab(page, "pending", 5);
  await select(page, chosen);
  await act(page, "Dead-letter", "wrong price list", "3 dead-lettered.");
  expect(Object.keys(await readRows(pool))).toEqual([ids[0], ids[4]]);
  expect(await countRows(pool, "outbox_console.dead_letter")).toBe(3);

  await openTab(page, "dead", 3);
  await select(page, chosen);
  await act(page, "Archive", "handled by hand", "3 archived.");
  expect(await countRows(pool, "outbox_console.dead_letter")).toBe(0);
  expect(await countRows(pool, "outbox_console.archive")).toBe(3);

  await openTab(page, "archived", 3);
  await select(page, chosen);
  await act(page, "Restore", "archived by mistake", "3 restored.");
  expect(await countRows(pool, "outbox_console.archive")).toBe(0);
  expect(await countRows(pool, "outbox_console.dead_letter")).toBe(3);

  await openTab(page, "dead", 3);
  await select(page, chosen);
  await act(page, "Retry", "price list fixed", "3 queued for another try.");
  expect(await readRows(pool)).toEqual(original);

  await test.step("the audit has a row for each act on each message", async () => {
    const { rows } = await pool.query(
      "SELECT action, outcome, reason, count(*)::int AS count FROM outbox_console.audit GROUP BY 1, 2, 3 ORDER BY min(id)",
    );
    expect(rows).toEqual([
      { action: "message.dead-letter", outcome: "done", reason: "wrong price list", count: 3 },
      { action: "message.archive", outcome: "done", reason: "handled by hand", count: 3 },
      { action: "message.restore", outcome: "done", reason: "archived by mistake", count: 3 },
      { action: "message.retry", outcome: "done", reason: "price list fixed", count: 3 },
    ]);
    await page.goto(`/audit?outbox=${OUTBOX}`);
    const table = page.getByRole("table", { name: "Audit" });
    await expect(table.getByRole("row")).toHaveCount(13);
    const restored = table.getByRole("row").filter({ hasText: "archived by mistake" });
    await expect(restored).toHaveCount(3);
    await expect(restored.filter({ hasText: "archived → dead" })).toHaveCount(3);
  });
});

test("an action is offered only for messages it applies to, with the reason for the others", async ({
  page,
  operated,
}) => {
  const { pool } = operated.database;
  const ids = await addEvents(pool, [
    { aggregateId: "order-1", eventType: "order.placed" },
    { aggregateId: "order-2", eventType: "order.placed" },
  ]);
  await pool.query("UPDATE outbox_events SET published_at = now() WHERE id = $1", [ids[1]]);

  await openTab(page, "pending", 1);
  await select(page, ids.slice(0, 1));
  const archive = page.getByRole("toolbar", { name: "Selected messages" }).getByRole("button", { name: /^Archive/ });
  await expect(archive).toHaveAttribute("aria-disabled", "true");
  await expect(archive).toHaveAccessibleDescription(/still to be sent: dead-letter it first/);
  await archive.click({ force: true });
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await openTab(page, "published", 1);
  await select(page, ids.slice(1));
  await act(page, "Archive", "tidying up", "1 archived.");
  // A message that has left may keep its row until the list is reloaded, and is then marked as gone.
  await expect(page.locator("[data-testid=message-row]:not([data-gone])")).toHaveCount(0);
  expect(Object.keys(await readRows(pool))).toEqual([ids[0]]);
});

test("the audit shows the days, the person and the outcome that the address names, and exports just these", async ({
  page,
  operated,
}) => {
  await operated.database.pool.query(
    `INSERT INTO outbox_console.audit (at, actor, role, action, outbox, outcome, reason)
     SELECT '2026-03-01T12:00:00Z'::timestamptz + n * interval '1 day', 'ada', 'admin', 'relay.pause', $1, 'done', 'day ' || n
     FROM generate_series(0, 3) n`,
    [OUTBOX],
  );
  await operated.database.pool.query(
    `INSERT INTO outbox_console_app.audit (at, actor, role, action, outbox, outcome, detail)
     VALUES ('2026-03-02T13:00:00Z', 'vera', 'viewer', 'request.denied', $1, 'refused', 'POST /api/v1/relays/orders/pause')`,
    [OUTBOX],
  );
  await page.goto(`/audit?outbox=${OUTBOX}`);
  const rows = page.getByRole("table", { name: "Audit" }).getByRole("row");
  await expect(rows).toHaveCount(6);
  await page.getByLabel("From day, UTC").fill("2026-03-02");
  await page.getByLabel("To day, UTC").fill("2026-03-03");
  await expect(rows).toHaveCount(4);
  await expect(page).toHaveURL(/from=2026-03-02&to=2026-03-03/);
  await page.getByLabel("Outcome").selectOption("refused");
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText("request.denied");

  await page.getByRole("button", { name: "Export" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: /NDJSON/ }).click(),
  ]);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ user: { name: "vera" }, event: { type: ["denied"] } });
});
