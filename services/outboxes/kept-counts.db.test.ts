import { afterEach, beforeAll, expect, test } from "vitest";
import { COUNT_CAP } from "#db/stores/shared/read/count-cap.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import type { Runtime } from "../runtime.ts";
import { takeSnapshot } from "./take-snapshot.ts";

const database = testDatabase("migrated");
let runtime: Runtime;

beforeAll(() => database().pool.query(OUTBOX_EVENTS));
afterEach(async () => {
  await runtime.close();
  await database().pool.query("TRUNCATE outbox_console.dead_letter, outbox_console.archive");
});

const keepDead = (count: number) =>
  database().pool.query(
    `INSERT INTO outbox_console.dead_letter (outbox, message_id, dead_by) SELECT 'orders', 'm' || n, 'relay' FROM generate_series(1, $1::int) n`,
    [count],
  );
const keepArchived = (count: number) =>
  database().pool.query(
    `INSERT INTO outbox_console.archive (outbox, message_id, state_before, archived_by, reason)
     SELECT 'orders', 'm' || n, 'published', 'olga', 'old' FROM generate_series(1, $1::int) n`,
    [count],
  );

async function snapshot() {
  runtime = openOperatedRuntime(database().url, "outbox_events");
  return takeSnapshot({ runtime, outbox: "orders" });
}

test("what is kept beside the table is counted exactly up to the cap", async () => {
  await keepDead(3);
  await keepArchived(COUNT_CAP);
  const { counts, deadLast24h } = await snapshot();
  expect(counts.dead).toEqual({ value: 3, precision: "exact" });
  expect(counts.archived).toEqual({ value: COUNT_CAP, precision: "exact" });
  expect(deadLast24h).toBe(3);
});

test("beyond it the counts say at least, and so does the cause", async () => {
  await keepDead(COUNT_CAP + 1);
  await keepArchived(COUNT_CAP + 1);
  const { counts, deadLast24h, verdict } = await snapshot();
  expect(counts.dead).toEqual({ value: COUNT_CAP, precision: "capped" });
  expect(counts.archived).toEqual({ value: COUNT_CAP, precision: "capped" });
  expect(deadLast24h).toBeNull();
  expect(verdict.causes[0]?.sentence).toMatch(/^at least /);
});
