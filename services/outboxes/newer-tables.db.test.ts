import { beforeAll, expect, onTestFinished, test } from "vitest";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { checkHealth } from "../health/check-health.ts";
import { listOutboxes } from "./list-outboxes.ts";

const database = testDatabase("migrated");

beforeAll(async () => {
  const { pool } = database();
  await pool.query(OUTBOX_EVENTS);
  await pool.query(
    "INSERT INTO outbox_console.migration (hash, created_at) VALUES ('of a later release', 9999999999999)",
  );
});

test("a console that is older than the tables does not deny that an updated worker publishes", async () => {
  const runtime = openOperatedRuntime(database().url, "outbox_events", { mode: "relay", relay: { sink: "stdout" } });
  onTestFinished(() => runtime.close());
  const [orders] = (await listOutboxes({ runtime })).outboxes;
  expect(orders?.verdict).toMatchObject({
    word: "unknown",
    status: "fail",
    cause: expect.stringMatching(/newer than/),
  });
  expect(await checkHealth({ runtime, outbox: "orders" })).toMatchObject({ status: "fail" });
});
