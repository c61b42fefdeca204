import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { beginAndTake, bulkOf, itemOf } from "#db/stores/conformance/bulk-hand.fixture.ts";
import type { OutboxStore, Store } from "#db/stores/port/store.ts";
import type { VerbRequest } from "#db/stores/port/verb.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import { testDatabase } from "#tests/postgres.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { MAPPING } from "../relay/relay-box.fixture.ts";

/**
 * A server that crashes loses unflushed commits. From the commit on a relay may publish a retried message, and a sink
 * may have a re-published one: a crash must undo neither.
 */
describe("what a crash of the server must not take back", () => {
  const database = testDatabase("migrated");
  let store: Store;
  let outbox: OutboxStore;

  beforeAll(async () => {
    const { pool, url } = database();
    const { rows } = await pool.query<{ name: string }>("SELECT quote_ident(current_database()) AS name");
    // The test server does not wait for the disk otherwise.
    await pool.query(`ALTER DATABASE ${rows[0]?.name} SET synchronous_commit = on`);
    await pool.query(
      `CREATE TABLE box (id bigserial PRIMARY KEY, aggregate_id text, payload text, created_at timestamptz DEFAULT now(), published_at timestamptz);
       CREATE TABLE written (at pg_lsn);
       CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN INSERT INTO public.written VALUES (pg_current_wal_insert_lsn()); RETURN NULL; END';
       CREATE TRIGGER note AFTER INSERT OR UPDATE ON outbox_console.delivery FOR EACH ROW EXECUTE FUNCTION note();
       CREATE TRIGGER note AFTER UPDATE ON outbox_console.operation_item FOR EACH ROW EXECUTE FUNCTION note();`,
    );
    store = openPostgresStore({ name: "shop", url, applicationName: "outbox-console test" });
    outbox = store.outbox({
      ...{ name: "orders", mapping: MAPPING, storeSide: true, maxAttempts: null, estimatedRows: -1 },
    });
  });
  afterAll(() => store.close());

  const verb = (row: { id: string; version: string }, action: MessageAction): VerbRequest => ({
    ...{ id: row.id, version: row.version, action, actor: { name: "ada", role: "admin" }, reason: "INC-42" },
    ...{ operationId: crypto.randomUUID(), dryRun: false },
  });
  const insert = async (count: number) => {
    const { rows } = await database().pool.query<{ id: string }>(
      `INSERT INTO box (aggregate_id, payload) SELECT n, 'x' FROM generate_series(1, ${count}) n RETURNING id::text`,
    );
    return rows.map(({ id }) => id);
  };
  const retry = async (ids: readonly string[]) => {
    const rows = await outbox.read.find(ids);
    expect(rows).toHaveLength(ids.length);
    return outbox.act.performItems(rows.map((row) => verb(row, "retry")));
  };
  /** Whether all that was noted is on the disk. */
  const flushed = async () => {
    const { rows } = await database().pool.query<{ all: boolean | null }>(
      "SELECT max(at) <= pg_current_wal_flush_lsn() AS all FROM written",
    );
    await database().pool.query("TRUNCATE written");
    return rows[0]?.all;
  };

  test("a dead letter that is retried beside others", async () => {
    const ids = await insert(3);
    for (const row of await outbox.read.find(ids)) await outbox.act.perform(verb(row, "dead-letter"), 0);
    await flushed();
    expect((await retry(ids)).map(({ failure }) => failure)).toEqual([null, null, null]);
    expect(await flushed()).toBe(true);
  });

  test("a dead letter that is retried beside messages that only failed", async () => {
    const [dead = "", failed = ""] = await insert(2);
    for (const row of await outbox.read.find([dead])) await outbox.act.perform(verb(row, "dead-letter"), 0);
    await database().pool.query(
      `INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, order_key, attempts, next_attempt_at)
       VALUES ('orders', $1, '2', ARRAY[$1, $1], 2, now() + interval '1 hour')`,
      [failed],
    );
    await flushed();
    expect((await retry([dead, failed])).map(({ failure }) => failure)).toEqual([null, null]);
    expect(await flushed()).toBe(true);
  });

  test("the note that a message is about to be re-published", async () => {
    const bulk = bulkOf(store);
    const { lease } = await beginAndTake(bulk, { action: "republish" });
    await bulk.addItems(lease, [itemOf(1, { stateBefore: "published" })], null);
    await flushed();
    const released = { seq: 1, outcome: "released" as const, code: null, message: null };
    expect(await bulk.settle(lease, [released])).toBe(true);
    expect(await flushed()).toBe(true);
  });
});
