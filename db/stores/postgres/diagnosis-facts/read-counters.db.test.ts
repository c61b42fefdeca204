import { expect, onTestFinished, test } from "vitest";
import { withReadTransaction } from "#db/stores/postgres/connection/transaction.ts";
import { outboxRef } from "#services/outboxes/outbox-ref.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { readCounters } from "./read-counters.ts";

const database = testDatabase("migrated");
const TABLE = "outbox_events";

async function openCounters() {
  await database().pool.query(`DROP TABLE IF EXISTS ${TABLE};
    CREATE TABLE ${TABLE} (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text UNIQUE, aggregate_id text, event_type text, payload jsonb,
      created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz)`);
  const runtime = openOperatedRuntime(database().url, TABLE, {});
  onTestFinished(() => runtime.close());
  const ref = outboxRef(await runtime.outbox("orders"));
  return () => withReadTransaction(database().pool, 3000, (client) => readCounters(client, ref));
}

/** `keys`: of rows that are committed. */
async function insert(keys: readonly string[], end = "COMMIT"): Promise<void> {
  const client = await database().pool.connect();
  await client.query("BEGIN");
  await client.query(
    `INSERT INTO ${TABLE} (key, aggregate_id, event_type, payload) SELECT key, 'a', 'e', '{}' FROM unnest($1::text[]) key ON CONFLICT DO NOTHING`,
    [keys],
  );
  await client.query(end);
  // A session reports its statistics when it ends.
  client.release(true);
}

test("values of the sequence that become no rows are told from committed rows", async () => {
  const counters = await openCounters();
  await insert(["1", "2", "3"]);
  await waitFor(async () => (await counters()).committed?.rows === 3, { message: "the session has told" });
  const before = await counters();
  expect(before).toMatchObject({ insertedBy: "sequence", inserted: 3 });
  await insert(["4", "5"], "ROLLBACK");
  await insert(["1", "2", "3", "6"]);
  await waitFor(async () => (await counters()).committed?.rows === 4, { message: "the sessions have told" });
  await database().pool.query(`DELETE FROM ${TABLE} WHERE key = '1'`);
  await database().pool.query(`UPDATE ${TABLE} SET published_at = now()`);
  await insert(["7"]);
  await waitFor(async () => (await counters()).committed?.rows === 5, { message: "a deletion takes nothing away" });
  const after = await counters();
  expect(after.committed?.since).toBe(before.committed?.since);
  expect(after.inserted).toBe(10);
});

test("counts that ANALYZE has set anew are not comparable", async () => {
  const counters = await openCounters();
  const before = await counters();
  await database().pool.query(`ANALYZE ${TABLE}`);
  await waitFor(async () => (await counters()).committed?.since !== before.committed?.since, { message: "it is told" });
});

test("where statistics are not kept, nothing is said of committed rows", async () => {
  const counters = await openCounters();
  const { name } = database();
  await database().pool.query(`ALTER DATABASE "${name}" SET track_counts = off`);
  onTestFinished(async () => void (await database().pool.query(`ALTER DATABASE "${name}" RESET track_counts`)));
  const client = await database().pool.connect();
  client.release(true);
  await waitFor(async () => (await counters()).committed === null, { message: "new sessions keep none" });
});
