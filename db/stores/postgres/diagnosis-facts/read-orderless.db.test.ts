import { expect, onTestFinished, test } from "vitest";
import { withReadTransaction } from "#db/stores/postgres/connection/transaction.ts";
import { outboxRef } from "#services/outboxes/outbox-ref.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { readOrderless } from "./read-orderless.ts";

const database = testDatabase("migrated");

async function readOf(order: string) {
  const { pool, url } = database();
  await pool.query(`DROP TABLE IF EXISTS outbox_events;
    CREATE TABLE outbox_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), ${order}, aggregate_id text, event_type text, payload jsonb,
      created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz);
    INSERT INTO outbox_events (seq, created_at, published_at) OVERRIDING SYSTEM VALUE VALUES (1, '2026-03-01', NULL), (2, '2026-03-02', now())`);
  const runtime = openOperatedRuntime(url, "outbox_events", { columns: { order: "seq" } });
  onTestFinished(() => runtime.close());
  const ref = outboxRef(await runtime.outbox("orders"));
  return () => withReadTransaction(pool, 3000, (client) => readOrderless(client, ref));
}

test("unsent messages without a value in the order column are counted, with the oldest", async () => {
  const read = await readOf("seq bigint");
  expect(await read()).toEqual({ column: "seq", messages: 0, oldestAt: null, capped: false });
  await database().pool.query(
    `INSERT INTO outbox_events (created_at, published_at) VALUES ('2026-03-04', NULL), ('2026-03-03', NULL), ('2026-02-01', now())`,
  );
  expect(await read()).toEqual({ column: "seq", messages: 2, oldestAt: "2026-03-03T00:00:00.000000Z", capped: false });
});

test("where the column always has a value there is nothing to read", async () => {
  const read = await readOf("seq bigint GENERATED ALWAYS AS IDENTITY");
  expect(await read()).toBeNull();
});
