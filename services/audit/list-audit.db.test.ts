import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AuditQuery } from "#contracts/access/audit.ts";
import { AppError } from "#domain/errors.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { contextOf } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { configSchema } from "../config/config-schema.ts";
import { openRuntime, type Runtime } from "../runtime.ts";
import { scopedRuntime } from "../scoped-runtime.ts";
import { listAudit } from "./list-audit.ts";
import { recordDenied } from "./record-denied.ts";

const shop = testDatabase("migrated");
const till = testDatabase("migrated");
let runtime: Runtime;

beforeAll(async () => {
  for (const database of [shop(), till()]) await database.pool.query(OUTBOX_EVENTS);
  const table = "public.outbox_events";
  const config = configSchema.parse({
    stores: {
      shop: { kind: "postgres", url: shop().url },
      again: { kind: "postgres", url: shop().url },
      till: { kind: "postgres", url: till().url },
    },
    outboxes: {
      orders: { store: "shop", table, mode: "operate" },
      returns: { store: "again", table, mode: "operate" },
      bills: { store: "till", table, mode: "operate" },
    },
    console: { databaseUrl: shop().url },
  });
  runtime = openRuntime({ config, applicationName: "outbox-console test", env: {} });
});
afterAll(() => runtime.close());
beforeEach(async () => {
  await shop().pool.query("TRUNCATE outbox_console.audit, outbox_console_app.audit");
  await till().pool.query("TRUNCATE outbox_console.audit");
});

/** Entries with the action `m<minutes>`, so many minutes after 10:00. */
async function entries(
  side: "shop" | "console" | "till",
  outbox: string | null,
  minutes: readonly number[],
  actor = "ada",
) {
  const pool = side === "till" ? till().pool : shop().pool;
  const schema = side === "console" ? "outbox_console_app" : "outbox_console";
  for (const minute of minutes)
    await pool.query(
      `INSERT INTO ${schema}.audit (at, actor, role, action, outbox, outcome)
       VALUES ('2026-11-23T10:00:00Z'::timestamptz + $1 * interval '1 minute', $2, 'admin', 'm' || $1::int, $3, 'done')`,
      [minute, actor, outbox],
    );
}

const actionsOf = async (query: Partial<AuditQuery> = {}, seen: Runtime = runtime) =>
  (await listAudit({ runtime: seen, query: { limit: 50, ...query } })).entries.map(({ action }) => action);
const seeing = (...outboxes: string[]) =>
  scopedRuntime(runtime, {
    ...{ name: "nora", role: "operator" as const },
    grants: { everywhere: null, outboxes: Object.fromEntries(outboxes.map((name) => [name, "operator" as const])) },
  });

test("the audits of all stores and of the console are one list, page by page", async () => {
  await entries("shop", "orders", [1, 5, 7]);
  await entries("till", "bills", [2, 3, 8]);
  await entries("console", "gone", [4, 6]);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAudit({ runtime, query: { limit: 2, cursor } });
    expect(page.missing).toEqual([]);
    seen.push(...page.entries.map(({ action }) => action));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual(["m8", "m7", "m6", "m5", "m4", "m3", "m2", "m1"]);
  await expect(listAudit({ runtime, query: { limit: 2, cursor: "12.c3" } })).rejects.toMatchObject({
    code: "invalid_input",
  });
});

test("entries of one outbox, day, person and outcome are found in every audit", async () => {
  await entries("shop", "orders", [1, 5]);
  await entries("shop", "orders", [6], "ben");
  await entries("till", "bills", [2]);
  await entries("console", "orders", [3]);
  await entries("console", null, [4]);
  expect(await actionsOf({ outbox: "orders" })).toEqual(["m6", "m5", "m3", "m1"]);
  expect(await actionsOf({ actor: "ben" })).toEqual(["m6"]);
  expect(await actionsOf({ from: "2026-11-23T10:02:00Z", to: "2026-11-23T12:05:00+02:00" })).toEqual([
    "m4",
    "m3",
    "m2",
  ]);
  expect(await actionsOf({ outcome: "refused" })).toEqual([]);
});

test("whoever sees some outboxes finds what concerns these, in each of their stores, and no denied request of another", async () => {
  await entries("shop", "orders", [1]);
  await entries("shop", null, [2]);
  await entries("till", "bills", [3]);
  for (const outbox of ["orders", "bills", null])
    await recordDenied(contextOf(runtime), {
      error: new AppError("forbidden", "You may not."),
      path: `POST /api/v1/${outbox}`,
      ...{ outbox, inbox: null },
    });
  const found = async (...outboxes: string[]) =>
    (await listAudit({ runtime: seeing(...outboxes), query: { limit: 50 } })).entries.map(
      ({ action, outbox }) => `${action} ${outbox}`,
    );
  expect(await found("orders")).toEqual(["request.denied orders", "m1 orders"]);
  expect(await found("bills", "orders")).toEqual([
    ...["request.denied bills", "request.denied orders"],
    ...["m3 bills", "m1 orders"],
  ]);
  await expect(listAudit({ runtime: seeing("orders"), query: { outbox: "bills", limit: 50 } })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("an old entry is found behind thousands that concern another outbox", async () => {
  await entries("console", "orders", [1]);
  await shop().pool.query(
    `INSERT INTO outbox_console_app.audit (actor, role, action, outbox, outcome)
     SELECT 'ada', 'admin', 'view.save', 'bills', 'done' FROM generate_series(1, 5100)`,
  );
  expect(await actionsOf({}, seeing("orders"))).toEqual(["m1"]);
});

test("a store whose audit cannot be read is named, and the others are shown", async () => {
  await entries("shop", "orders", [1, 3]);
  await entries("till", "bills", [2]);
  await till().pool.query("ALTER TABLE outbox_console.audit RENAME TO away");
  const page = await listAudit({ runtime, query: { limit: 50 } });
  await till().pool.query("ALTER TABLE outbox_console.away RENAME TO audit");
  expect(page.entries.map(({ action }) => action)).toEqual(["m3", "m1"]);
  expect(page.missing).toEqual([expect.stringContaining("store till")]);
});
