import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FACT_LIMITS } from "#db/stores/conformance/fact-limits.fixture.ts";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createStorePools, type StorePools } from "../connection/store-pools.ts";
import { gatherFacts } from "./gather-facts.ts";

const ROWS = 150_000;
const DEAD = 20_000;
const WAITING = 600;
/** Messages of the stuck aggregate, its head included. */
const OF_HEAD = 40;

describe.each(["mysql", "mariadb"] as const)("facts of a large table on %s", (flavor) => {
  const database = testMysqlDatabase(flavor);
  let pools: StorePools;

  /** Dead rows are older than the waiting ones, as in a table without clean-up. */
  beforeAll(async () => {
    const { query, own } = database();
    await query(`CREATE TABLE outbox_events (id bigint PRIMARY KEY, aggregate_id varchar(100) NOT NULL, event_type varchar(100) NOT NULL, payload text NOT NULL,
      occurred_at datetime(6) NOT NULL, dispatched_at datetime(6), attempts int NOT NULL DEFAULT 0, locked_until datetime(6))`);
    const digits =
      "(SELECT 0 AS n UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)";
    const number = "(1 + a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n + 100000 * f.n)";
    await query(
      `INSERT INTO outbox_events (id, aggregate_id, event_type, payload, occurred_at, dispatched_at, attempts)
       SELECT n, IF(n > ${ROWS - OF_HEAD}, 'stuck', CONCAT('order-', n % 20000)), 'order.paid', REPEAT('x', 300), UTC_TIMESTAMP(6) - INTERVAL (${ROWS} - n) SECOND,
         IF(n > ${DEAD} AND n <= ${ROWS - WAITING}, UTC_TIMESTAMP(6), NULL), IF(n <= ${DEAD}, 10, 0)
       FROM (SELECT ${number} AS n FROM ${["a", "b", "c", "d", "e", "f"].map((name) => `${digits} ${name}`).join(", ")}) numbers WHERE n <= ${ROWS}`,
    );
    await query("ANALYZE TABLE outbox_events");
    await query(
      `INSERT INTO ${own.database}.delivery (outbox, message_id, aggregate_key, event_type, attempts, next_attempt_at, first_failed_at, last_error_code, last_error)
       VALUES ('orders', ?, 'stuck', 'order.paid', 2, UTC_TIMESTAMP(6) + INTERVAL 10 SECOND, UTC_TIMESTAMP(6) - INTERVAL 1 MINUTE, 'server_error', 'no FX rate')`,
      [String(ROWS - OF_HEAD + 1)],
    );
  });

  beforeEach(() => {
    const { url, own } = database();
    pools = createStorePools({ url, own, applicationName: "outbox-console test" });
  });
  afterEach(() => pools.close());

  const column = (name: string, type: string, more: Partial<MappedColumn> = {}): MappedColumn => ({
    name,
    type,
    nullable: false,
    from: "config",
    ...more,
  });
  const datetime = (name: string, nullable: boolean) =>
    column(name, "datetime(6)", { nullable, time: { kind: "timestamp", zone: "UTC" } });
  const refNow = (): OutboxRef => ({
    name: "orders",
    mapping: {
      table: { schema: database().name, name: "outbox_events" },
      primaryKey: [column("id", "bigint")],
      columns: {
        id: column("id", "bigint"),
        payload: column("payload", "text"),
        aggregateId: column("aggregate_id", "varchar(100)"),
        eventType: column("event_type", "varchar(100)"),
        createdAt: datetime("occurred_at", false),
        publishedAt: datetime("dispatched_at", true),
        attempts: column("attempts", "int"),
        lockedUntil: datetime("locked_until", true),
      },
      lifecycle: { kind: "timestamp", column: datetime("dispatched_at", true) },
      deadAttempts: 10,
      archiveTable: null,
      shape: "configured",
    },
    storeSide: true,
    maxAttempts: null,
    estimatedRows: ROWS,
  });

  const gather = async (index?: string) => {
    if (index) await database().query(`CREATE INDEX tried ON outbox_events ${index}`);
    try {
      // Other tests' sessions may keep the server from a fresh list of its transactions.
      const { facts, unread } = await waitFor(
        async () => {
          const read = await gatherFacts(pools, refNow(), FACT_LIMITS);
          return read.unread.some(({ error }) => /old list of its transactions/.test(String(error))) ? null : read;
        },
        { intervalMs: 300, message: "the transactions are told" },
      );
      return { facts, unread: unread.map(({ fact }) => fact).sort() };
    } finally {
      if (index) await database().query("DROP INDEX tried ON outbox_events");
    }
  };

  test("without an index, what only a scan could tell is not read, instead of none", async () => {
    const { facts, unread } = await gather();
    expect(unread).toEqual(["clockSkew", "expiredClaims", "waiting", "waitingByType"]);
    expect(facts.blocked).toMatchObject([{ aggregate: "stuck", waiting: null, waitingCapped: false }]);
  });

  test("with an index that also holds what was given up on, reads are bounded and say at least", async () => {
    const { facts, unread } = await gather("(dispatched_at, occurred_at)");
    expect(unread).not.toContain("waiting");
    expect(facts.waiting).toMatchObject({ due: WAITING - OF_HEAD, overdue: WAITING - OF_HEAD, capped: true });
    expect(facts.waitingByType).toEqual([{ eventType: "order.paid", messages: WAITING }]);
    expect(facts.blocked).toMatchObject([{ aggregate: "stuck", waiting: OF_HEAD - 1, waitingCapped: true }]);
  });

  test("with an index of just what waits, everything is counted", async () => {
    const { facts } = await gather("(dispatched_at, attempts)");
    expect(facts.waiting).toMatchObject({ due: WAITING - OF_HEAD, capped: false });
    expect(facts.blocked).toMatchObject([{ aggregate: "stuck", waiting: OF_HEAD - 1, waitingCapped: false }]);
  });

  test("with an index by aggregate alone, only the blocked ones are counted", async () => {
    const { facts, unread } = await gather("(aggregate_id)");
    expect(unread).toContain("waiting");
    expect(facts.blocked).toMatchObject([{ aggregate: "stuck", waiting: OF_HEAD - 1, waitingCapped: false }]);
  });
});
