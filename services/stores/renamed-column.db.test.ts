import { expect, test } from "vitest";
import { OUTBOX_EVENTS, OUTBOX_EVENTS_WITH_ATTEMPTS } from "#tests/factories/layouts.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { acceptFirstMapping } from "./accept-first-mapping.ts";

const database = testDatabase("migrated");

test("a column that outbox.yaml names and the table no longer has: what to do is said with it", async () => {
  await database().pool.query(OUTBOX_EVENTS);
  const columns = { columns: { publishedAt: "dispatched_at" }, lifecycle: { kind: "timestamp" } };
  const accepting = openOperatedRuntime(database().url, "outbox_events", columns);
  await acceptFirstMapping(accepting, await accepting.outbox("orders"), "ada");
  await accepting.close();
  await database().pool.query("ALTER TABLE outbox_events RENAME dispatched_at TO sent_at");
  const runtime = openOperatedRuntime(database().url, "outbox_events", columns);
  await expect(runtime.outbox("orders")).rejects.toThrow(
    /dispatched_at of public\.outbox_events is gone; sent_at .* is new\. Undo the change, or name the new columns .*--accept-mapping orders/,
  );
  await runtime.close();
});

test("a column that only a later release recognises is not said to be new", async () => {
  const { pool, url } = database();
  await pool.query("DROP TABLE IF EXISTS outbox_events");
  await pool.query(OUTBOX_EVENTS_WITH_ATTEMPTS);
  const runtime = openOperatedRuntime(url, "outbox_events", {});
  await pool.query("TRUNCATE outbox_console.mapping_fingerprint");
  await acceptFirstMapping(runtime, await runtime.outbox("orders"), "ada");
  await pool.query("UPDATE outbox_console.mapping_fingerprint SET fingerprint = fingerprint #- '{columns,lastError}'");
  await runtime.refresh("shop");
  const { stop, recognition } = await runtime.outbox("orders");
  await runtime.close();
  expect(stop).toBeNull();
  expect(recognition.warnings).toContain(
    "last_error had no role in the mapping that was accepted, so it is not used as lastError. To use it, name it under columns.",
  );
});
