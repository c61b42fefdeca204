import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createPool } from "#db/stores/postgres/connection/pool.ts";
import { withReadTransaction } from "#db/stores/postgres/connection/transaction.ts";
import { outboxRef } from "#services/outboxes/outbox-ref.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { readDetached } from "./read-detached.ts";

const database = testDatabase("migrated");

beforeEach(async () => {
  await database().pool.query(`DROP TABLE IF EXISTS outbox_events, outbox_07, outbox_08;
    DELETE FROM outbox_console.mapping_fingerprint;
    CREATE TABLE outbox_events (id uuid DEFAULT gen_random_uuid(), aggregate_id text, event_type text, payload jsonb,
      created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, PRIMARY KEY (id, created_at)) PARTITION BY RANGE (created_at);
    CREATE INDEX ON outbox_events (created_at) WHERE published_at IS NULL;
    CREATE TABLE outbox_07 PARTITION OF outbox_events FOR VALUES FROM ('2026-07-01') TO ('2026-08-01');
    CREATE TABLE outbox_08 PARTITION OF outbox_events FOR VALUES FROM ('2026-08-01') TO (MAXVALUE);
    INSERT INTO outbox_events (created_at, published_at) VALUES ('2026-07-01', NULL), ('2026-07-02', NULL), ('2026-07-03', now()), (now(), NULL)`);
});

async function openReading() {
  const { url, pool } = database();
  const runtime = openOperatedRuntime(url, "outbox_events", {});
  onTestFinished(() => runtime.close());
  const ref = outboxRef(await runtime.outbox("orders"));
  await pool.query(
    "INSERT INTO outbox_console.mapping_fingerprint (outbox, fingerprint, accepted_by) VALUES ('orders', '{}', 'first start') ON CONFLICT DO NOTHING",
  );
  const options = { url, applicationName: "test", readOnly: false, max: 1, statementTimeoutMs: 5000 };
  const writes = createPool(options);
  onTestFinished(() => writes.end());
  const accepted = ref.accepted ?? ({} as NonNullable<typeof ref.accepted>);
  return () => withReadTransaction(pool, 3000, (client) => readDetached(client, () => writes, { ...ref, accepted }));
}

test("a detached partition is named with its unsent messages, until it is attached again or they are gone", async () => {
  const { pool } = database();
  const read = await openReading();
  expect(await read()).toBeNull();
  await pool.query("ALTER TABLE outbox_events DETACH PARTITION outbox_07; ALTER TABLE outbox_07 RENAME TO outbox_old");
  const left = { how: "detached", table: "public.outbox_events", earlier: "public.outbox_old" };
  expect(await read()).toEqual({ ...left, messages: 2, capped: false, maybePublished: false });
  await pool.query(
    "ALTER TABLE outbox_events ATTACH PARTITION outbox_old FOR VALUES FROM ('2026-07-01') TO ('2026-08-01')",
  );
  expect(await read()).toBeNull();
  await pool.query("ALTER TABLE outbox_events DETACH PARTITION outbox_old; ALTER TABLE outbox_old RENAME TO outbox_07");
  expect(await read()).toMatchObject({ messages: 2 });
  await pool.query("UPDATE outbox_07 SET published_at = now()");
  expect(await read()).toBeNull();
  await pool.query("UPDATE outbox_07 SET published_at = NULL");
  expect(await read(), "the partition is not looked at any more").toBeNull();
  const { rows } = await pool.query("SELECT partitions FROM outbox_console.mapping_fingerprint");
  expect(rows).toEqual([{ partitions: [] }]);
});

test("a partition without unsent messages, or that is dropped, is not missed", async () => {
  const { pool } = database();
  const read = await openReading();
  await pool.query("UPDATE outbox_events SET published_at = now() WHERE created_at = '2026-07-01'");
  expect(await read()).toBeNull();
  await pool.query("ALTER TABLE outbox_events DETACH PARTITION outbox_08");
  expect(await read(), "only new messages waited in it").toBeNull();
  await pool.query("ALTER TABLE outbox_events DETACH PARTITION outbox_07; DROP TABLE outbox_07");
  expect(await read()).toBeNull();
});
