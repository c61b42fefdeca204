import { expect, onTestFinished, test } from "vitest";
import { withReadTransaction } from "#db/stores/postgres/connection/transaction.ts";
import { missingIndexesOf } from "#services/outboxes/missing-indexes.ts";
import { outboxRef } from "#services/outboxes/outbox-ref.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { readRelayScans } from "./read-relay-scans.ts";

const database = testDatabase("migrated");
const TABLE = "outbox_events";

/** 40,000 rows of some 600 bytes are above the size below which a scan is as good. */
async function makeTable(rows: number, dead: number): Promise<void> {
  await database().pool.query(`DROP TABLE IF EXISTS ${TABLE};
    CREATE TABLE ${TABLE} (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_id text, event_type text, payload jsonb, occurred_at timestamptz NOT NULL,
      dispatched_at timestamptz, failed_at timestamptz, attempts int NOT NULL DEFAULT 0, last_error text);
    INSERT INTO ${TABLE} (aggregate_id, event_type, payload, occurred_at, dispatched_at, attempts)
    SELECT n::text, 'e', jsonb_build_object('text', repeat('x', 500)), now() - n * interval '1 s', CASE WHEN n > ${dead} THEN now() END, CASE WHEN n <= ${dead} THEN 10 ELSE 0 END
    FROM generate_series(1, ${rows}) n`);
  await database().pool.query(`VACUUM ANALYZE ${TABLE}`);
}

/** As the watchdog of a worker that has just started. */
async function look() {
  const runtime = openOperatedRuntime(database().url, TABLE, { deadAttempts: 10 });
  onTestFinished(() => runtime.close());
  const handle = await runtime.outbox("orders");
  const ref = outboxRef(handle);
  const read = () =>
    withReadTransaction(database().pool, 3000, (client) => readRelayScans(client, ref, { lanes: true }));
  const scans = await read();
  expect(await read()).toEqual(scans);
  return { scans, missing: await missingIndexesOf(handle) };
}

test("says that each poll reads the table, and the index that it advises ends that", async () => {
  await makeTable(40_000, 0);
  const { scans } = await look();
  expect(scans).toMatchObject({ index: null, dead: null, sql: expect.stringContaining('"attempts" < 10') });
  await database().pool.query(scans?.sql ?? "");
  expect((await look()).scans).toBeNull();
});

test("an index with a further condition is not taken for the relay's", async () => {
  await makeTable(40_000, 0);
  await database().pool.query(
    `CREATE INDEX ON ${TABLE} (occurred_at) WHERE dispatched_at IS NULL AND failed_at IS NULL`,
  );
  const { scans, missing } = await look();
  expect(scans).toMatchObject({ index: null, dead: null });
  expect(missing.map(({ sql }) => sql)).toContain(scans?.sql);
});

test("an index of all rows in time is not taken for one of what waits", async () => {
  await makeTable(40_000, 0);
  await database().pool.query(`CREATE INDEX by_time ON ${TABLE} (occurred_at)`);
  expect((await look()).scans).toMatchObject({ index: "by_time", dead: null });
});

test("an index whose build failed is not counted on, and is named", async () => {
  await makeTable(40_000, 0);
  await database().pool.query(`CREATE INDEX by_time ON ${TABLE} (occurred_at)`);
  const { scans: advice } = await look();
  await database().pool.query(advice?.sql ?? "");
  expect((await look()).scans).toBeNull();
  const { rows } = await database().pool.query<{ name: string }>(
    `UPDATE pg_index SET indisvalid = false WHERE indrelid = '${TABLE}'::regclass AND indpred IS NOT NULL
     RETURNING indexrelid::regclass::text AS name`,
  );
  const { scans } = await look();
  expect(scans).toMatchObject({ index: "by_time", dead: null, invalid: rows.map(({ name }) => name) });
});

test("an index that holds many messages that were given up on is named with their number", async () => {
  await makeTable(40_000, 6000);
  await database().pool.query(`CREATE INDEX waits ON ${TABLE} (occurred_at) WHERE dispatched_at IS NULL`);
  const { scans } = await look();
  expect(scans).toMatchObject({ index: "waits", dead: 6000, deadCapped: false });
  await database().pool.query(scans?.sql ?? "");
  await database().pool.query(`ANALYZE ${TABLE}`);
  expect((await look()).scans).toBeNull();
});

test("a small table is judged by what its indexes could serve, and is no finding", async () => {
  await makeTable(10, 0);
  const without = await look();
  expect(without.scans).toBeNull();
  expect(without.missing).toHaveLength(5);
  for (const { sql } of without.missing) await database().pool.query(sql ?? "");
  expect((await look()).missing).toEqual([]);
});
