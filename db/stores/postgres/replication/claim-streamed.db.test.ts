import type pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type Lease, LeaseLostError } from "../../port/relay/lease.ts";
import type { Notice, OpenStream } from "../../port/relay/relay-stream.ts";
import type { RelayTable } from "../../port/relay/relay-table.ts";
import { createRelayTable } from "../relay/postgres-relay-table.ts";
import { lockOutbox } from "../tables/outbox-lock.ts";
import { BOX, BOX_DDL, dropSlot } from "./box.fixture.ts";
import { positionOf } from "./log-transaction.ts";

type Claim = Awaited<ReturnType<RelayTable["claimDueRetries"]>>;

/**
 * A claim waits for the outbox's lock, and behind it a session that makes the parked message due. Resolves to the
 * claim, or to "refused" if the claim did not get the lock in time.
 */
async function lineUp(pool: pg.Pool, claimDue: () => Promise<Claim>): Promise<Claim | "refused"> {
  await pool.query("UPDATE outbox_console.delivery SET next_attempt_at = now() + interval '1 hour'");
  const [first, second] = [await pool.connect(), await pool.connect()];
  const waiting = async (count: number) => {
    const sql =
      "SELECT count(*)::int AS n FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted";
    return (await pool.query(sql)).rows[0].n >= count;
  };
  try {
    await first.query("BEGIN");
    await lockOutbox(first, "box", "exclusive");
    let isOver = false;
    const claiming = claimDue()
      .catch(() => "refused" as const)
      .finally(() => {
        isOver = true;
      });
    await waitFor(async () => isOver || (await waiting(1)), { message: "the claim waits for the lock" });
    await second.query("BEGIN");
    const locking = lockOutbox(second, "box", "exclusive");
    await waitFor(async () => isOver || (await waiting(2)), { message: "the other session waits behind it" });
    await first.query("COMMIT");
    await locking;
    await second.query("UPDATE outbox_console.delivery SET next_attempt_at = now()");
    await second.query("COMMIT");
    return await claiming;
  } finally {
    first.release();
    second.release();
  }
}

describe("claiming what the log tells of", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let slot: string;
  let table: RelayTable;
  let lease: Lease;
  let open: OpenStream;
  let notices: Notice[];

  const start = async (mark: "column" | "none") => {
    const cdc = { slot, publication: slot, mark };
    const options = { outbox: "box", ordering: "aggregate", maxAttempts: 3, relayId: "r", sinkName: "s" } as const;
    table = createRelayTable({ ...options, mapping: BOX, url: database.url, cdc });
    const taken = await table.acquireLease({ owner: "me", leaseMs: 60_000 });
    if (!taken || !table.stream) throw new Error("the lease is not free");
    lease = taken;
    const nothing = () => undefined;
    open = await table.stream.open({
      notice: (notice) => notices.push(notice),
      commit: nothing,
      position: nothing,
      flushed: nothing,
    });
  };
  const noticed = (count: number) =>
    waitFor(() => (notices.length >= count ? notices : null), { message: `${count} rows were told of` });
  const claim = async (some: readonly Notice[] = notices) => {
    if (!table.stream) throw new Error("there is no stream");
    return table.stream.claim({ lease, notices: some });
  };
  const insert = (sql: string) => database.pool.query(`INSERT INTO box ${sql}`);

  beforeEach(async () => {
    database = await createTestDatabase();
    slot = `s_${database.name}`;
    notices = [];
    await database.pool.query(BOX_DDL);
    await database.pool.query(`CREATE PUBLICATION ${slot} FOR TABLE box WITH (publish = 'insert')`);
    await database.pool.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [slot]);
  });
  afterEach(async () => {
    await open.close();
    await dropSlot(database.pool, slot);
    await table.close();
    await database.drop();
  });

  test("takes what is to be sent, as the row is now, in the order of the commits", async () => {
    await start("column");
    const early = await database.pool.connect();
    await early.query("BEGIN");
    await early.query("INSERT INTO box (id, aggregate_id, payload) VALUES (1, 'a', 'one')");
    await insert("(id, aggregate_id, payload) VALUES (2, 'a', 'two')");
    await early.query("COMMIT");
    early.release();
    await noticed(2);
    await database.pool.query("UPDATE box SET payload = 'changed' WHERE id = 1");
    const { claim: found, unseen } = await claim();
    expect(unseen).toEqual([]);
    expect(found?.messages.map(({ id, payload }) => [id, payload])).toEqual([
      ["2", "two"],
      ["1", "changed"],
    ]);
    const { rows } = await database.pool.query("SELECT message_ids FROM outbox_console.claim");
    expect(rows[0].message_ids.sort()).toEqual(["1", "2"]);
  });

  test("leaves out what is published, gone, dead, scheduled or waits for a retry", async () => {
    await start("column");
    await insert(
      "(id, aggregate_id, payload, available_at) SELECT i, 'a', 'x', CASE WHEN i = 4 THEN now() + interval '1 hour' END FROM generate_series(1, 6) i",
    );
    await noticed(6);
    await database.pool.query("UPDATE box SET published_at = now() WHERE id = 1");
    await database.pool.query("DELETE FROM box WHERE id = 2");
    const { order: place } = notices.find(({ id }) => id === "3") ?? {};
    await database.pool.query(
      "INSERT INTO outbox_console.delivery (outbox, message_id, dead_at, order_key) VALUES ('box', '3', now(), $1)",
      [place],
    );
    await database.pool.query(
      "INSERT INTO outbox_console.delivery (outbox, message_id, next_attempt_at) VALUES ('box', '5', now())",
    );
    const { claim: found, unseen } = await claim();
    expect(found?.messages.map(({ id }) => id)).toEqual(["6"]);
    expect(unseen).toEqual([]);
  });

  test("tells a commit that nobody can see yet from a row that is gone", async () => {
    await start("column");
    const writer = await database.pool.connect();
    await writer.query("BEGIN");
    await writer.query("INSERT INTO box (id, payload) VALUES (1, 'x')");
    const { rows } = await writer.query(
      "SELECT (pg_current_xact_id()::text::bigint % 4294967296)::bigint::text AS xid",
    );
    const transaction = { xid: Number(rows[0].xid), committedAtMs: 0, commitLsn: 1n, position: positionOf(1n) };
    const told = [{ id: "1", aggregateKey: null, order: ["1", "1"] as const, transaction, message: null, bytes: 1 }];
    expect(await claim(told)).toEqual({ claim: null, unseen: ["1"] });
    await writer.query("COMMIT");
    writer.release();
    expect((await claim(told)).claim?.messages).toHaveLength(1);
    await database.pool.query("DELETE FROM box");
    expect(await claim(told)).toEqual({ claim: null, unseen: [] });
  });

  test("takes what it is told of while nobody has begun another term: what it leaves out counts as done", async () => {
    await start("none");
    await insert("(payload) VALUES ('x')");
    await noticed(1);
    await database.pool.query("UPDATE outbox_console.lease SET until = now() - interval '1 second'");
    expect((await claim()).claim?.messages).toHaveLength(1);
  });

  test("writes no claim once the term is over", async () => {
    await start("column");
    await insert("(payload) VALUES ('x')");
    await noticed(1);
    await database.pool.query("UPDATE outbox_console.lease SET owner = 'other', epoch = epoch + 1");
    await expect(claim()).rejects.toThrow(LeaseLostError);
    expect((await database.pool.query("SELECT FROM outbox_console.claim")).rowCount).toBe(0);
  });

  test("without marks: takes what the store side knows nothing of, also rows that nobody ever saw", async () => {
    await start("none");
    await insert("(id, aggregate_id, payload) SELECT i, 'a', 'x' || i FROM generate_series(1, 6) i");
    await database.pool.query("DELETE FROM box WHERE id = 1");
    await noticed(6);
    const { order: place } = notices.find(({ id }) => id === "3") ?? {};
    await database.pool.query(
      "INSERT INTO outbox_console.delivery (outbox, message_id, dead_at, order_key) VALUES ('box', '3', now(), $1)",
      [place],
    );
    await database.pool.query(
      "INSERT INTO outbox_console.dead_letter (outbox, message_id, dead_by) VALUES ('box', '4', 'me')",
    );
    await database.pool.query("INSERT INTO outbox_console.restored (outbox, message_id) VALUES ('box', '5')");
    await database.pool.query(
      "INSERT INTO outbox_console.archive (outbox, message_id, state_before, archived_by, reason) VALUES ('box', '6', 'published', 'me', 'test')",
    );
    const { claim: found } = await claim();
    expect(found?.messages.map(({ id, payload }) => [id, payload])).toEqual([
      ["1", "x1"],
      ["2", "x2"],
    ]);
  });

  test("what is parked is claimed again as it was, in its order", async () => {
    await start("none");
    await insert(
      "(id, aggregate_id, payload) VALUES (2, 'a', '{\"n\": 9007199254740993}'), (1, 'a', E'\\\\u0000 \\n ü')",
    );
    await noticed(2);
    const messages = notices.flatMap(({ message }) => (message ? [message] : []));
    await table.stream?.park({ lease, messages });
    const retries = await table.listRetries({ lease });
    expect(retries.map(({ id }) => id).sort()).toEqual(["1", "2"]);
    const byOrder = [...retries].sort((left, right) =>
      left.order && right.order ? table.compareOrder(left.order, right.order) : 0,
    );
    expect(byOrder.map(({ id }) => id)).toEqual(["2", "1"]);
    const again = await table.claimDueRetries({ lease, limit: 10, excludeIds: [] });
    expect(again?.messages).toEqual(messages.map((message) => ({ ...message, retried: true, attempts: 0 })));
    expect((await claim()).claim).toBeNull();
  });

  test("keeps a parked message that becomes due between the two looks for retries, though its row is gone", async () => {
    await start("none");
    await insert("(id, aggregate_id, payload) VALUES (1, 'a', 'x')");
    await noticed(1);
    const messages = notices.flatMap(({ message }) => (message ? [message] : []));
    await table.stream?.park({ lease, messages });
    await database.pool.query("DELETE FROM box");
    let result: Awaited<ReturnType<typeof lineUp>>;
    // The claim waits one second for the lock. Where the machine is too busy to line both up in that time, they do so
    // again.
    do result = await lineUp(database.pool, () => table.claimDueRetries({ lease, limit: 10, excludeIds: [] }));
    while (result === "refused");
    const claimed = result ?? (await table.claimDueRetries({ lease, limit: 10, excludeIds: [] }));
    expect(claimed?.messages.map(({ id, payload }) => [id, payload])).toEqual([["1", "x"]]);
  });

  test("whoever begins a term is told of all that the last one parked", async () => {
    await start("none");
    await insert("(id, aggregate_id, payload) VALUES (1, 'a', 'x')");
    await noticed(1);
    const messages = notices.flatMap(({ message }) => (message ? [message] : []));
    const other = await database.pool.connect();
    await other.query("BEGIN");
    await other.query("INSERT INTO outbox_console.delivery (outbox, message_id) VALUES ('box', '1')");
    const parking = Promise.allSettled([table.stream?.park({ lease, messages })]);
    await waitFor(
      async () => {
        const sql =
          "SELECT count(*)::int AS n FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND locktype = 'transactionid' AND NOT granted";
        return (await database.pool.query(sql)).rows[0].n === 1;
      },
      { message: "the parking is under way" },
    );
    await database.pool.query("UPDATE outbox_console.lease SET until = now() - interval '1 second'");
    const next = await waitFor(() => table.acquireLease({ owner: "next", leaseMs: 6000 }), {
      message: "the next term begins",
    });
    const told = await table.listRetries({ lease: next });
    await other.query("ROLLBACK");
    other.release();
    await parking;
    expect(await table.listRetries({ lease: next })).toHaveLength(told.length);
  });
});
