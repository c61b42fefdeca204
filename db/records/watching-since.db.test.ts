import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { watchingSince } from "./read-samples.ts";

const database = testDatabase("migrated");

beforeEach(() => database().pool.query("TRUNCATE outbox_console_app.sample"));

const sample = (stepSeconds: number, at: string) =>
  database().pool.query(
    `INSERT INTO outbox_console_app.sample (outbox, step_seconds, at, in_per_second, out_per_second, failures_per_second, backlog, dead)
     VALUES ('orders', $1, $2, 0, 0, 0, 0, 0)`,
    [stepSeconds, at],
  );
const since = async () => (await watchingSince(database().pool, "orders"))?.slice(0, 19) ?? null;

test("an outbox is watched since its first sample, not since the step into which that was rolled up", async () => {
  expect(await since()).toBeNull();
  await sample(5, "2026-11-27T02:58:35Z");
  await sample(5, "2026-11-27T03:00:00Z");
  expect(await since()).toBe("2026-11-27T02:58:35");
  await sample(60, "2026-11-27T02:58:00Z");
  await sample(3600, "2026-11-27T02:00:00Z");
  expect(await since()).toBe("2026-11-27T02:58:35");
});

test("once the first sample is gone, the finest step that has it says since when", async () => {
  await sample(5, "2026-11-27T09:00:00Z");
  await sample(60, "2026-11-27T02:58:00Z");
  await sample(3600, "2026-11-27T02:00:00Z");
  expect(await since()).toBe("2026-11-27T02:58:00");
  await database().pool.query(
    "UPDATE outbox_console_app.sample SET at = '2026-11-27T08:00:00Z' WHERE step_seconds = 60",
  );
  expect(await since()).toBe("2026-11-27T02:00:00");
});
