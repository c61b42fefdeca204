import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { operationQuerySchema } from "#contracts/message/operations.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { testDatabase } from "#tests/postgres.ts";
import { configSchema } from "../config/config-schema.ts";
import { openRuntime, type Runtime } from "../runtime.ts";
import { scopedRuntime } from "../scoped-runtime.ts";
import { planOf } from "./bulk/bulk-plan.ts";
import { getOperation } from "./get-operation.ts";
import { listOperations } from "./list-operations.ts";

const shop = testDatabase("migrated");
const till = testDatabase("migrated");
const PLAN = planOf({ action: "retry", targets: [], reason: "m" });
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
  await operations("shop", "orders", [1, 3, 5]);
  await operations("till", "bills", [2, 4, 6]);
});
afterAll(() => runtime.close());

/** Operations with the reason `m<minutes>`, so many minutes after 10:00. */
async function operations(store: "shop" | "till", outbox: string, minutes: readonly number[]) {
  const { pool } = store === "shop" ? shop() : till();
  for (const minute of minutes)
    await pool.query(
      `INSERT INTO outbox_console.operation (id, at, outbox, action, actor, role, reason, request_hash, state, plan, ended_at)
       VALUES ($1, '2026-11-23T10:00:00Z'::timestamptz + $2 * interval '1 minute', $3, 'retry', 'ada', 'admin',
         'm' || $2::int, '', 'finished', $4, now())`,
      [randomUUID(), minute, outbox, PLAN],
    );
}

async function page(cursor?: string, more: { running?: "true"; outbox?: string; limit?: number } = {}) {
  const {
    operations: list,
    nextCursor,
    missing,
  } = await listOperations({ runtime, query: { limit: 2, cursor, ...more } });
  return { reasons: list.map(({ reason }) => reason), cursor: nextCursor ?? undefined, missing };
}

/** The pages from `cursor` to the last. */
async function pagesFrom(cursor: string | undefined): Promise<string[]> {
  const { reasons, cursor: next } = await page(cursor);
  return next ? [...reasons, ...(await pagesFrom(next))] : reasons;
}

test("the operations of all stores are one list, page by page, and two stores of one database are read once", async () => {
  expect(await pagesFrom(undefined)).toEqual(["m6", "m5", "m4", "m3", "m2", "m1"]);
  expect(await page()).toMatchObject({ missing: [] });
  await expect(page("2026-11-23T10:00:00Z~1")).rejects.toMatchObject({ code: "invalid_input" });
});

test("a store that cannot be read is named, and none of its operations is left out once it is back", async () => {
  await till().pool.query("ALTER TABLE outbox_console.operation RENAME TO operation_away");
  const first = await page().finally(() =>
    till().pool.query("ALTER TABLE outbox_console.operation_away RENAME TO operation"),
  );
  expect(first).toMatchObject({ reasons: ["m5", "m3"], missing: [expect.stringContaining("store till")] });
  const rest = await pagesFrom(first.cursor);
  expect(rest.toSorted()).toEqual(["m1", "m2", "m4", "m6"]);
});

test("a store that cannot be read has a further page, also where the others have ended", async () => {
  await till().pool.query("ALTER TABLE outbox_console.operation RENAME TO operation_away");
  const first = await page(undefined, { limit: 50 }).finally(() =>
    till().pool.query("ALTER TABLE outbox_console.operation_away RENAME TO operation"),
  );
  expect(first).toMatchObject({ reasons: ["m5", "m3", "m1"], missing: [expect.stringContaining("store till")] });
  await till().pool.query("ALTER TABLE outbox_console.operation RENAME TO operation_away");
  const again = await page(first.cursor).finally(() =>
    till().pool.query("ALTER TABLE outbox_console.operation_away RENAME TO operation"),
  );
  expect(again).toMatchObject({ reasons: [], cursor: undefined });
  expect(await pagesFrom(first.cursor)).toEqual(["m6", "m4", "m2"]);
});

test("a list of what runs names the store that cannot be read", async () => {
  await till().pool.query("ALTER TABLE outbox_console.operation RENAME TO operation_away");
  const { missing } = await page(undefined, { running: "true" }).finally(() =>
    till().pool.query("ALTER TABLE outbox_console.operation_away RENAME TO operation"),
  );
  expect(missing).toEqual([expect.stringContaining("The operations of store till could not be read")]);
});

test("whoever sees many of a store's outboxes finds their operations page by page, and those of no other", async () => {
  const names = Array.from({ length: 120 }, (_, n) => `outbox_of_team_${n}`);
  for (const name of names) await till().pool.query(`CREATE TABLE ${name} (LIKE outbox_events INCLUDING ALL)`);
  const config = configSchema.parse({
    stores: { till: { kind: "postgres", url: till().url } },
    outboxes: Object.fromEntries(
      ["outbox_events", ...names].map((name) => [name, { store: "till", table: `public.${name}`, mode: "operate" }]),
    ),
  });
  const whole = openRuntime({ config, applicationName: "outbox-console test", env: {} });
  onTestFinished(() => whole.close());
  const granted = Object.fromEntries(names.map((name) => [name, "viewer" as const]));
  const seen = scopedRuntime(whole, { name: "nora", role: "viewer", grants: { everywhere: null, outboxes: granted } });
  await operations("till", "outbox_events", [200]);
  for (const [n, name] of names.entries()) await operations("till", name, [n]);

  const reasons: (string | null)[] = [];
  let cursor: string | undefined;
  do {
    const query = operationQuerySchema.parse({ cursor, limit: 50 });
    const page = await listOperations({ runtime: seen, query });
    expect(page.missing).toEqual([]);
    reasons.push(...page.operations.map(({ reason }) => reason));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(reasons).toEqual(names.map((_, n) => `m${n}`).toReversed());
});

test("an operation that nobody finds may be in a store that was never read", async () => {
  const config = configSchema.parse({
    stores: { far: { kind: "postgres", url: "postgres://nobody@127.0.0.1:1/nothing" } },
    outboxes: { bills: { store: "far", table: "public.outbox_events", mode: "operate" } },
  });
  const unread = openRuntime({ config, applicationName: "outbox-console test", env: {} });
  onTestFinished(() => unread.close());
  await expect(getOperation({ runtime: unread, id: randomUUID() })).rejects.toMatchObject({ code: "unavailable" });
  await expect(getOperation({ runtime, id: randomUUID() })).rejects.toMatchObject({ code: "not_found" });
});
