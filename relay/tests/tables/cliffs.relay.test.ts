import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SEARCHED_ROWS } from "#db/stores/postgres/relay/claim/find-unread.ts";
import { addPending, INSERT_ONE, makeTable, OUTBOX, payloadOf, TABLE } from "#tests/outbox-table.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { variants } from "#tests/test-depth.ts";
import { waitFor } from "#tests/wait-for.ts";
import type { MemorySinkOptions } from "../../sinks/memory/memory-sink.ts";
import { PUBLISHED } from "../../sinks/sink.ts";
import { AMBIGUOUS } from "../../testing/bench-relay.fixture.ts";
import {
  type Asked,
  explain,
  READS,
  STARTS,
  startWatchedRelay,
  type WatchedRelay,
} from "../../testing/watched-relay.fixture.ts";

const BROKEN = "invoice.rendered";

/** Cost of one statement: database pages and rows visited, and characters sent with it. */
interface Bound {
  buffers: number;
  visited: number;
  sent: number;
}
/** A read from the watermark visits rows of the last seconds only, in a table of any size. */
const READ: Bound = { buffers: 600, visited: 2500, sent: 5000 };
const HEARTBEAT: Bound = { buffers: 300, visited: 5000, sent: 2000 };
const SEARCH: Bound = { buffers: 6 * SEARCHED_ROWS, visited: 6 * SEARCHED_ROWS, sent: Number.POSITIVE_INFINITY };

describe("a relay in steady state does not pay for", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let client: pg.Client;
  let watched: WatchedRelay | undefined;
  let holder: pg.Client | undefined;
  let writing: NodeJS.Timeout | undefined;

  beforeEach(async () => {
    database = await createTestDatabase();
    client = new pg.Client(database.url);
    await client.connect();
  });
  afterEach(async () => {
    clearInterval(writing);
    await watched?.stop();
    watched = undefined;
    await client.end();
    await holder?.end();
    holder = undefined;
    await database.dropByForce();
  });

  const start = async (answer?: MemorySinkOptions["answer"]) => {
    const relay = await startWatchedRelay({ url: database.url, ...(answer ? { answer } : {}) });
    watched = relay;
    await waitFor(() => relay.relay.state === "owner", { message: "it owns the outbox" });
    writing = setInterval(() => void write(), 20);
    return relay;
  };
  const write = () =>
    database.pool.query(INSERT_ONE, [crypto.randomUUID(), String(Math.floor(Math.random() * 100)), payloadOf(1)]);
  const asked = (relay: WatchedRelay, name: RegExp, times: number) => {
    // Statements of one kind may have several forms, of which some are asked only at the start.
    const find = () =>
      [...relay.asked]
        .filter(([key]) => name.test(key))
        .map(([, found]) => found)
        .toSorted((one, other) => other.calls - one.calls)[0];
    const enough = () => (find()?.calls ?? 0) >= times;
    return waitFor(enough, { timeoutMs: 150_000, message: `${name} is asked` }).then(() => find() as Asked);
  };
  /** The watermark has passed the initial rows, so reads send few keys and find few rows. */
  const inStride = (relay: WatchedRelay) => {
    const light = async () => {
      relay.forget();
      const { sent, rows, calls } = await asked(relay, READS, 30);
      return sent / calls < READ.sent && rows / calls < 100;
    };
    return waitFor(light, { timeoutMs: 150_000, message: "reads are light" }).then(() => relay.forget());
  };
  const within = async (one: Asked, bound: Bound) => {
    const { buffers, visited } = await explain(client, one);
    const worst = Math.max(buffers / bound.buffers, visited / bound.visited, one.sent / one.calls / bound.sent);
    expect.soft(worst, JSON.stringify({ buffers, visited, sent: one.sent / one.calls, bound })).toBeLessThan(1);
  };

  test("dead, blocked and failed messages that stay in the table", async () => {
    await makeTable(client, { published: 20_000, dead: 20_000, blocked: 20_000 });
    await addFailed(client, 10_000);
    const relay = await start();
    await inStride(relay);
    const claim = await asked(relay, READS, 30);
    const search = await asked(relay, /^search/, 1);
    const heartbeat = await asked(relay, /^heartbeat/, 1);
    clearInterval(writing);
    await within(claim, READ);
    await within(search, SEARCH);
    await within(heartbeat, HEARTBEAT);
    await within(await asked(relay, /^peek/, 2), READ);
    const beats = relay.asked.get("heartbeat")?.calls ?? 0;
    expect(relay.asked.get("retry-list")?.calls ?? 0).toBeLessThanOrEqual(2 + beats / 10);
    expect([...relay.asked.keys()].filter((name) => STARTS.test(name))).toEqual([]);
  });

  test("published rows, where no index has only the waiting ones and one has all in order", async () => {
    await makeTable(client, { published: 200_000, index: "all" });
    const relay = await startWatchedRelay({ url: database.url });
    watched = relay;
    await within(await asked(relay, /^peek-after/, 2), READ);
  });

  test("the start of a term over dead messages that stay in the table: new messages go out at once", async () => {
    await makeTable(client, { dead: 50_000 });
    await addPending(client, 10);
    // An unrelated writer keeps a transaction open; the watermark must not wait for it.
    holder = new pg.Client(database.url);
    await holder.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT pg_current_xact_id()");
    const relay = await start();
    await waitFor(() => relay.sink.received.length >= 10, { message: "what is new is out" });
    await asked(relay, READS, 300);
    expect([...relay.asked.keys()].filter((name) => STARTS.test(name))).toEqual([]);
    expect(relay.asked.get("skip-start")?.calls).toBeLessThan(5);
  });

  test.each(variants([200_000], [2000]))(
    "200,000 messages of a broken route, of %i aggregates",
    async (aggregates) => {
      await makeTable(client);
      await addBroken(client, 200_000, aggregates);
      await addPending(client, 1000);
      const relay = await start(({ eventType }) => (eventType === BROKEN ? AMBIGUOUS : PUBLISHED));
      await waitFor(() => relay.sink.received.length > 1000, {
        timeoutMs: 250_000,
        message: "what is behind them is out",
      });
      await inStride(relay);
      const claim = await asked(relay, READS, 100);
      expect(claim.rows / claim.calls).toBeLessThan(100);
      clearInterval(writing);
      await within(claim, READ);
      const [outages] = (await database.pool.query("SELECT routes FROM outbox_console.relay_instance")).rows;
      expect(outages.routes).toMatchObject([{ kind: "event_type", name: BROKEN, aggregates }]);
    },
    600_000,
  );

  test("published rows that another transaction keeps from being vacuumed", async () => {
    await makeTable(client);
    holder = new pg.Client(database.url);
    await holder.connect();
    await holder.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
    await holder.query("SELECT pg_current_xact_id()");
    await addPending(client, 10_000);
    const relay = await start();
    await waitFor(() => relay.sink.received.length > 10_000, { message: "the backlog is out" });
    relay.forget();
    await asked(relay, READS, 30);
    relay.forget();
    const claim = await asked(relay, READS, 30);
    clearInterval(writing);
    await within(claim, READ);
  });
});

/** Messages of an event type that the sink always rejects. */
async function addBroken(client: pg.Client, rows: number, aggregates: number): Promise<void> {
  await client.query(
    `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload, created_at)
     SELECT 'order', 'broken-' || i % $2, '${BROKEN}', '{}', now() - interval '2 hours' FROM generate_series(1, $1) i`,
    [rows, aggregates],
  );
  await client.query(`VACUUM ANALYZE ${TABLE}`);
}

/** Aggregates whose head waits an hour for its next attempt, each with one message behind it. */
async function addFailed(client: pg.Client, aggregates: number): Promise<void> {
  await client.query(
    `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload, created_at)
     SELECT 'order', 'failed-' || i % $1, 'order.changed', '{}', now() - interval '2 hours' FROM generate_series(0, $1 * 2 - 1) i`,
    [aggregates],
  );
  await client.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, order_key, attempts, next_attempt_at)
     SELECT DISTINCT ON (aggregate_id) '${OUTBOX}', id::text, 'order/' || aggregate_id, ARRAY[seq::text, id::text], 1, now() + interval '1 hour'
     FROM ${TABLE} WHERE aggregate_id LIKE 'failed-%' ORDER BY aggregate_id, seq`,
  );
  await client.query("VACUUM ANALYZE outbox_console.delivery");
}
