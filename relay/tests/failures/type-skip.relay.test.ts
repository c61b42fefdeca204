import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeTable, OUTBOX, TABLE } from "#tests/outbox-table.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { PUBLISHED } from "../../sinks/sink.ts";
import { AMBIGUOUS } from "../../testing/bench-relay.fixture.ts";
import { startWatchedRelay, type WatchedRelay } from "../../testing/watched-relay.fixture.ts";

const WAITS = "invoice.rendered";
const AGGREGATES = 5000;
const HEALTHY = 300;

describe("thousands of messages whose event type waits, in front of all others", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let client: pg.Client;
  let watched: WatchedRelay | undefined;

  beforeEach(async () => {
    database = await createTestDatabase();
    client = new pg.Client(database.url);
    await client.connect();
    await makeTable(client);
    // Each aggregate: one that waits, one that follows it. Among the last, some of other aggregates.
    await insert(
      `'waiting-' || i % ${AGGREGATES}, CASE WHEN i < ${AGGREGATES} THEN '${WAITS}' ELSE 'follows' END`,
      2 * AGGREGATES,
    );
    await insert(`'fine-' || i % 20, 'order.changed'`, HEALTHY);
    await client.query(`VACUUM ANALYZE ${TABLE}`);
  });
  afterEach(async () => {
    await watched?.stop();
    watched = undefined;
    await client.end();
    await database.dropByForce();
  });

  const insert = (columns: string, count: number) =>
    client.query(
      `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload, created_at)
       SELECT 'order', ${columns}, to_jsonb(i), now() - interval '2 hours' FROM generate_series(0, ${count - 1}) i`,
    );
  const received = (prefix: string) =>
    (watched?.sink.received ?? []).filter(({ aggregateId }) => aggregateId?.startsWith(prefix));
  const inOrder = () => {
    const last = new Map<string, number>();
    return (watched?.sink.received ?? []).every(({ aggregateKey, order }) => {
      const before = last.get(aggregateKey ?? "") ?? 0;
      last.set(aggregateKey ?? "", Number(order[0]));
      return Number(order[0]) > before;
    });
  };
  /** Only others are published, and the places of waiting messages were found without claiming them. */
  const othersAreOut = async () => {
    await waitFor(() => received("fine").length === HEALTHY, { timeoutMs: 30_000, message: "the others are out" });
    expect(received("waiting")).toEqual([]);
    expect([...(watched?.asked.keys() ?? [])].filter((name) => name.startsWith("look-ahead"))).not.toEqual([]);
    const { rows } = await client.query(`SELECT count(*)::int AS unsent FROM ${TABLE} WHERE published_at IS NULL`);
    expect(rows[0].unsent).toBeGreaterThanOrEqual(2 * AGGREGATES);
  };
  const allAreOut = async () => {
    await waitFor(() => received("waiting").length === 2 * AGGREGATES, { timeoutMs: 150_000, message: "all are out" });
    expect(inOrder()).toBe(true);
  };

  test("behind a broken route: others go out, and once it works all do, in order", async () => {
    let works = false;
    const answer = ({ eventType }: { eventType: string | null }) =>
      eventType === WAITS && !works ? AMBIGUOUS : PUBLISHED;
    watched = await startWatchedRelay({ url: database.url, answer });
    await othersAreOut();
    works = true;
    await allAreOut();
  });

  const pause = () =>
    client.query(
      "INSERT INTO outbox_console.pause (outbox, scope, subject, reason, by) VALUES ($1, 'event_type', $2, 'test', 'test')",
      [OUTBOX, WAITS],
    );

  test("behind a paused type: others go out, and once it is resumed all do, in order", async () => {
    await pause();
    watched = await startWatchedRelay({ url: database.url });
    await othersAreOut();
    await client.query("DELETE FROM outbox_console.pause");
    await allAreOut();
  });

  test("with nothing behind them: what is written later goes out", async () => {
    await client.query(`DELETE FROM ${TABLE} WHERE aggregate_id LIKE 'fine-%'`);
    await pause();
    const relay = await startWatchedRelay({ url: database.url });
    watched = relay;
    const looked = () => [...relay.asked.keys()].some((name) => name.startsWith("look-ahead"));
    await waitFor(looked, { message: "it looked ahead" });
    await insert("'fine-' || i % 20, 'order.changed'", HEALTHY);
    await othersAreOut();
  });
});
