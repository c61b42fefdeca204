import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Runtime } from "#services/runtime.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { ask, refusal } from "./api.fixture.ts";

vi.mock("server-only", () => ({}));

const HOSTILE = '=cmd|"x"!A1';
const database = testDatabase("migrated");
const holder = globalThis as typeof globalThis & { outboxConsoleRuntime?: Runtime };

beforeAll(async () => {
  await database().pool.query(OUTBOX_EVENTS);
  holder.outboxConsoleRuntime = openTestRuntime(database().url, {
    outboxes: { orders: { store: "shop", table: "outbox_events", mode: "operate" } },
    console: { databaseUrl: database().url },
  });
});
afterAll(() => holder.outboxConsoleRuntime?.close());
beforeEach(async () => {
  await database().pool.query("TRUNCATE outbox_console.audit, outbox_console_app.audit");
  await database().pool.query(
    `INSERT INTO outbox_console.audit (at, actor, role, action, outbox, message_id, outcome, reason)
     SELECT '2026-03-01T00:00:00Z'::timestamptz + n * interval '1 min', 'ada', 'admin', 'message.retry', 'orders', 'm' || n, 'done', $1
     FROM generate_series(1, 450) n`,
    [HOSTILE],
  );
  await database().pool.query(
    `INSERT INTO outbox_console_app.audit (at, actor, role, action, outbox, outcome, detail)
     SELECT '2026-03-01T00:00:30Z'::timestamptz + n * interval '1 min', 'ben', 'viewer', 'request.denied', 'orders', 'refused', 'POST /x'
     FROM generate_series(1, 5) n`,
  );
});

const get = async (query: string) => ask((await import("./v1/audit/export/route.ts")).GET, { path: `/?${query}` });
const lines = async (query: string) => (await (await get(query)).text()).trimEnd().split("\n");

test("NDJSON has every entry once, newest first, with denied requests, and says that it is whole", async () => {
  const found = (await lines("format=ndjson&to=2026-03-02T00:00:00Z")).map((line) => JSON.parse(line));
  expect(found.pop()).toMatchObject({ export: { complete: true, rows: 455 } });
  const times = found.map((entry) => entry["@timestamp"]);
  expect(times).toEqual(times.toSorted().reverse());
  expect(new Set(found.map(({ event }) => event.id)).size).toBe(455);
  expect(found.filter(({ event }) => event.type[0] === "denied")).toHaveLength(5);
  const { rows } = await database().pool.query(
    "SELECT action, outcome FROM outbox_console_app.audit WHERE action = 'audit.export' ORDER BY id",
  );
  expect(rows).toEqual([
    { action: "audit.export", outcome: "begun" },
    { action: "audit.export", outcome: "done" },
  ]);
});

test("CSV has the entries of the filter, and no formula", async () => {
  const answer = await get("actor=ada&from=2026-03-01T00:10:00Z&to=2026-03-01T00:12:00Z");
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="audit-\w+\.csv"$/);
  const text = (await answer.text()).trimEnd().split("\r\n");
  expect(text).toHaveLength(3);
  expect(text[1]).toContain(`2026-03-01T00:11:00.000000Z,ada,admin,message.retry,done,orders,,m11,,"'=cmd|""x""!A1"`);
  expect(await lines("outcome=refused&outbox=orders")).toHaveLength(6);
});

test("an audit that cannot be read makes the file say that it is cut", async () => {
  await database().pool.query("ALTER TABLE outbox_console.audit RENAME TO away");
  const found = await lines("format=ndjson");
  await database().pool.query("ALTER TABLE outbox_console.away RENAME TO audit");
  expect(JSON.parse(found.at(-1) ?? "")).toMatchObject({
    export: { complete: false, rows: 5, cut: expect.stringContaining("store shop") },
  });
});

test("a filter that is none is refused before anything is written", async () => {
  expect(await refusal(await get("outcome=maybe"))).toMatchObject({ status: 400, code: "invalid_input" });
  expect(await refusal(await get("from=yesterday"))).toMatchObject({ status: 400 });
  expect(await refusal(await get("outbox=none"))).toMatchObject({ status: 404 });
});
