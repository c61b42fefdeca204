import pg, { type Pool } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { type DemoRuntime, openDemoRuntime } from "#demo/testing/demo-runtime.fixture.ts";
import { outboxRef } from "#services/outboxes/outbox-ref.ts";
import { testDatabase } from "#tests/postgres.ts";
import { startStatementRecorder } from "#tests/statement-recorder.ts";
import { waitFor } from "#tests/wait-for.ts";
import { findLockHolder } from "../act/find-lock-holder.ts";
import { createPool } from "../connection/pool.ts";
import { gatherFacts } from "./gather-facts.ts";

const database = testDatabase();
let demo: DemoRuntime;
let ref: OutboxRef;
let reads: Pool;
const pools = { reads: () => reads, writes: () => reads };

const limits = {
  overdueSeconds: 30,
  claimGraceSeconds: 0,
  lockHeldSeconds: 0,
  oldTransactionSeconds: 0,
  scheduledFarSeconds: 60,
  clockSkewSeconds: 5,
  relay: null,
};

beforeAll(async () => {
  demo = await openDemoRuntime(database().url);
  ref = outboxRef(demo.outbox);
  await demo.pool.query(`CREATE TABLE IF NOT EXISTS public.outbox (id bigserial PRIMARY KEY, aggregate_id text, event_type text, payload jsonb,
    created_at timestamptz DEFAULT now(), available_at timestamptz, status text NOT NULL DEFAULT 'PENDING')`);
  reads = createPool({
    url: database().url,
    applicationName: "outbox-console test",
    readOnly: true,
    max: 4,
    statementTimeoutMs: 5000,
  });
});
afterAll(() => Promise.all([demo.close(), reads.end()]));
beforeEach(async () => {
  await demo.pool.query(
    "TRUNCATE shop.outbox_events, outbox_console.delivery, outbox_console.claim, outbox_console.lease, outbox_console.relay_instance, outbox_console.pause",
  );
});

const gather = async () => {
  const { facts, unread } = await gatherFacts(pools, ref, limits);
  expect(unread).toEqual([]);
  return facts;
};

async function addEvents(aggregate: string, count: number, age = "0 s"): Promise<string[]> {
  const { rows } = await demo.pool.query<{ id: string }>(
    `INSERT INTO shop.outbox_events (aggregate_type, aggregate_id, event_type, payload, created_at)
     SELECT 'order', $1, 'order.paid', '{}', now() - $3::interval FROM generate_series(1, $2) RETURNING id`,
    [aggregate, count, age],
  );
  return rows.map((row) => row.id);
}

async function fail(id: string, aggregate: string): Promise<void> {
  await demo.pool.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, event_type, attempts, next_attempt_at, first_failed_at, last_error_code, last_error)
     VALUES ('orders', $1, $2, 'order.paid', 2, now() + interval '10 s', now() - interval '1 min', 'server_error', 'no FX rate')`,
    [id, aggregate],
  );
}

async function session(applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database().url, application_name: applicationName });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

test("counts what is due and overdue, without what a failed head blocks and what is given up on", async () => {
  await addEvents("ord-1", 3, "1 min");
  await addEvents("ord-2", 2);
  const [head = ""] = await addEvents("ord-3", 4, "1 min");
  await fail(head, "order/ord-3");
  const { waiting } = await gather();
  expect(waiting).toMatchObject({ due: 5, overdue: 3, overdueAggregates: 1, capped: false });
});

test("an empty outbox waits for nothing", async () => {
  expect((await gather()).waiting).toEqual({
    due: 0,
    overdue: 0,
    overdueAggregates: 0,
    capped: false,
    oldestDueAt: null,
  });
});

test("counts who waits behind each failed head", async () => {
  const [head = ""] = await addEvents("ord-3", 4);
  await addEvents("ord-4", 1);
  await fail(head, "order/ord-3");
  const { blocked } = await gather();
  expect(blocked).toHaveLength(1);
  expect(blocked?.[0]).toMatchObject({
    aggregate: "order/ord-3",
    aggregateId: "ord-3",
    headId: head,
    waiting: 3,
    attempts: 2,
  });
});

test("a dead message that stays in the table does not wait behind the failed head", async () => {
  const [dead = "", head = ""] = await addEvents("a", 2);
  await fail(head, "order/a");
  await demo.pool.query(
    "INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, attempts, dead_at) VALUES ('orders', $1, 'order/a', 9, now())",
    [dead],
  );
  expect((await gather()).blocked).toMatchObject([{ headId: head, waiting: 0, waitingCapped: false }]);
});

test("a claim is expired when its owner holds no lease", async () => {
  const claim = (owner: string) =>
    demo.pool.query(
      "INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids) VALUES (gen_random_uuid(), 'orders', $1, 1, ARRAY['a', 'b'])",
      [owner],
    );
  await claim("alive");
  await claim("gone");
  await demo.pool.query(
    "INSERT INTO outbox_console.lease (outbox, partition, owner, epoch, until) SELECT 'orders', p, 'alive', 1, now() + interval '1 min' FROM generate_series(0, 31) p",
  );
  expect((await gather()).expiredClaims).toMatchObject({ claims: 1, messages: 2, owners: ["gone"] });
});

test("names the session that locks rows, how many, and who waits for it; literals stay out", async () => {
  await addEvents("ord-1", 5);
  const report = await session("billing-report");
  await report.query("BEGIN");
  await report.query(
    "SELECT id FROM shop.outbox_events WHERE aggregate_id = 'ord-1' ORDER BY sequence LIMIT 3 FOR UPDATE",
  );
  const marker = await session("marker");
  const marking = marker.query("UPDATE shop.outbox_events SET published_at = now()");
  const holders = await waitFor(
    async () => {
      const { lockHolders = [] } = await gather();
      return lockHolders.some((holder) => holder.blockedPids.length > 0) && lockHolders;
    },
    { message: "someone waits for the report" },
  );
  const holder = holders.find((one) => one.applicationName === "billing-report");
  expect(holder).toMatchObject({ rows: 3, state: "idle in transaction", mode: "RowShareLock" });
  expect(holder?.blockedPids).toHaveLength(1);
  expect(holder?.endStatement).toBe(`SELECT pg_terminate_backend(${holder?.pid})`);
  expect(holder?.query).toContain("aggregate_id = '…'");
  const { oldTransactions = [] } = await gather();
  expect(oldTransactions.find((one) => one.applicationName === "billing-report")?.holdsBackNewRows).toBe(true);
  await report.query("ROLLBACK");
  await marking;
  await Promise.all([report.end(), marker.end()]);
});

test("a prepared transaction that holds rows is named, with the rows, who waits for it, and how it is ended", async () => {
  const [first = ""] = await addEvents("ord-1", 5);
  const manager = await session("transaction-manager");
  await manager.query("BEGIN; UPDATE shop.outbox_events SET payload = payload WHERE aggregate_id = 'ord-1'");
  await manager.query("PREPARE TRANSACTION 'bank-42'");
  await manager.end();
  const marker = await session("marker");
  const marking = marker.query("UPDATE shop.outbox_events SET published_at = now() WHERE id = $1", [first]);
  try {
    const holder = await waitFor(
      async () => (await gather()).lockHolders?.find((one) => one.blockedPids.length > 0) ?? null,
      { message: "the marker is seen to wait" },
    );
    expect(holder).toMatchObject({ pid: null, preparedId: "bank-42", state: "prepared", rows: 5, wholeTable: false });
    expect(holder.endStatement).toBe("ROLLBACK PREPARED 'bank-42'");
    expect(await findLockHolder(reads, ref, first)).toMatch(/^the prepared transaction bank-42, prepared .+ ago$/);
  } finally {
    await demo.pool.query("ROLLBACK PREPARED 'bank-42'");
    await marking;
    await marker.end();
  }
});

test("a prepared transaction that has locked the whole table is named", async () => {
  const manager = await session("transaction-manager");
  await manager.query("BEGIN; LOCK TABLE shop.outbox_events IN ACCESS EXCLUSIVE MODE");
  await manager.query("PREPARE TRANSACTION 'ddl-7'");
  await manager.end();
  try {
    const { facts } = await gatherFacts(pools, ref, limits);
    expect(facts.lockHolders).toMatchObject([{ preparedId: "ddl-7", mode: "AccessExclusiveLock", wholeTable: true }]);
  } finally {
    await demo.pool.query("ROLLBACK PREPARED 'ddl-7'");
  }
});

test("a reader behind which migrations queue for the whole table is named, and they in their order", async () => {
  const [reader, second, first] = [
    await session("long-report"),
    await session("add-index"),
    await session("add-column"),
  ];
  const named = async () =>
    (await gatherFacts(pools, ref, limits)).facts.lockHolders?.filter((one) => one.queuedSessions?.length);
  try {
    await reader.query("BEGIN; SELECT count(*) FROM shop.outbox_events");
    const waiting: Promise<unknown>[] = [];
    for (const migration of [first, second]) {
      const locking = migration.query("BEGIN; LOCK TABLE shop.outbox_events IN ACCESS EXCLUSIVE MODE; ROLLBACK");
      waiting.push(locking.catch(() => undefined));
      await waitFor(async () => (await named())?.[0]?.queuedSessions?.length === waiting.length, {
        message: "the lock queue is seen",
      });
    }
    expect(await named()).toMatchObject([
      {
        ...{ applicationName: "long-report", mode: "AccessShareLock", wholeTable: true, keepsOutReaders: true },
        queuedSessions: [
          expect.stringMatching(/^add-column \(pid \d+\)$/),
          expect.stringMatching(/^add-index \(pid \d+\)$/),
        ],
      },
    ]);
    await reader.query("ROLLBACK");
    await Promise.all(waiting);
  } finally {
    await Promise.all([reader, second, first].map((one) => one.end()));
  }
});

test("while someone holds the whole table, the lock is told and the rest is left unread", async () => {
  const ddl = await session("migration");
  await ddl.query("BEGIN; LOCK TABLE shop.outbox_events IN ACCESS EXCLUSIVE MODE");
  const { facts, unread } = await gatherFacts(pools, ref, limits);
  expect(facts.lockHolders?.[0]).toMatchObject({ applicationName: "migration", mode: "AccessExclusiveLock" });
  expect(unread.map(({ fact }) => fact)).toContain("waiting");
  await ddl.query("ROLLBACK");
  await ddl.end();
});

test("a reader's old snapshot holds back vacuum only", async () => {
  const reader = await session("bi");
  await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1");
  const { oldTransactions = [] } = await gather();
  expect(oldTransactions.find((one) => one.applicationName === "bi")).toMatchObject({ holdsBackNewRows: false });
  await reader.query("ROLLBACK");
  await reader.end();
});

test("groups dead messages by type and error, moved away or in their place, most first", async () => {
  await demo.pool.query(
    `INSERT INTO outbox_console.dead_letter (outbox, message_id, event_type, attempts, dead_at, dead_by, last_error_code, last_error, last_failed_at, fingerprint)
     SELECT 'orders', 'm' || i, CASE WHEN i < 3 THEN 'order.refunded' ELSE 'order.paid' END, 1, now(), 'relay',
       CASE WHEN i < 3 THEN 'unroutable' ELSE 'rejected' END, 'no topic ' || i, now() - i * interval '20 s', CASE WHEN i < 3 THEN 'f' ELSE 'g' END
     FROM generate_series(1, 4) i`,
  );
  await demo.pool.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, event_type, attempts, dead_at, dead_by, last_error_code, last_error, last_failed_at, fingerprint)
     VALUES ('orders', 'm9', 'order.refunded', 1, now(), 'relay', 'unroutable', 'no topic 9', now(), 'f')`,
  );
  const { dead } = await gather();
  await demo.pool.query("TRUNCATE outbox_console.dead_letter");
  const at = expect.any(String);
  expect(dead).toEqual([
    {
      eventType: "order.refunded",
      code: "unroutable",
      error: "no topic 9",
      fingerprint: "f",
      messages: 3,
      capped: false,
      firstAt: at,
      lastAt: at,
      oldestSeconds: null,
      lastMinute: 3,
    },
    {
      eventType: "order.paid",
      code: "rejected",
      error: "no topic 3",
      fingerprint: "g",
      messages: 2,
      capped: false,
      firstAt: at,
      lastAt: at,
      oldestSeconds: null,
      lastMinute: 0,
    },
  ]);
});

test("dead messages whose errors differ in a number are one group, also where nobody recorded a fingerprint", async () => {
  await demo.pool.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, event_type, attempts, dead_at, dead_by, last_error)
     SELECT 'orders', 'm' || i, 'order.paid', 1, now(), 'relay', 'unknown SKU ' || i FROM generate_series(1, 30) i`,
  );
  expect((await gather()).dead).toEqual([
    expect.objectContaining({ error: "unknown SKU 1", messages: 30, capped: false }),
  ]);
});

test("counts what waits by event type", async () => {
  await addEvents("ord-1", 3);
  expect((await gather()).waitingByType).toEqual([expect.objectContaining({ messages: 3 })]);
});

test("finds messages created in the future", async () => {
  await addEvents("ord-1", 2, "-1 hour");
  expect((await gather()).clockSkew).toMatchObject({ messages: 2, capped: false });
});

/** A table of another library, with words for its states. */
function otherLayout({ inFlight }: { inFlight: string[] }): OutboxRef {
  const column = (name: string, type: string) => ({ name, type, nullable: true, from: "config" as const });
  const time = { kind: "timestamptz" as const };
  return {
    ...ref,
    storeSide: false,
    mapping: {
      table: { schema: "public", name: "outbox" },
      primaryKey: [column("id", "bigint")],
      columns: {
        id: column("id", "bigint"),
        payload: column("payload", "jsonb"),
        createdAt: { ...column("created_at", "timestamp with time zone"), time },
        availableAt: { ...column("available_at", "timestamp with time zone"), time },
      },
      lifecycle: {
        kind: "status",
        column: column("status", "text"),
        pending: ["PENDING"],
        inFlight,
        failed: [],
        published: ["SENT"],
        dead: [],
        expired: [],
      },
      deadAttempts: null,
      archiveTable: null,
      shape: "configured",
    },
  };
}

test("finds statuses that nobody named, and messages scheduled far ahead, in a table of another layout", async () => {
  await demo.pool.query(`INSERT INTO public.outbox (status, available_at) VALUES ('PENDING', now() + interval '1 year'), ('PENDING', NULL),
    ('PARKED', NULL), ('PARKED', NULL), ('SENT', NULL)`);
  const { facts, unread } = await gatherFacts(pools, otherLayout({ inFlight: [] }), limits);
  expect(unread).toEqual([]);
  expect(facts.unknownWords).toEqual([{ word: "PARKED", messages: 2, capped: false }]);
  expect(facts.scheduledFar).toMatchObject({ messages: 1 });
  expect(facts.waiting?.due).toBe(1);
});

test("a table that only marks messages as claimed does not tell since when", async () => {
  await demo.pool.query("DELETE FROM public.outbox");
  await demo.pool.query(`INSERT INTO public.outbox (status, created_at) VALUES ('BUSY', now() - interval '1 day'), ('BUSY', now() - interval '1 day'),
    ('BUSY', now()), ('PENDING', now() - interval '1 day')`);
  const { facts, unread } = await gatherFacts(pools, otherLayout({ inFlight: ["BUSY"] }), limits);
  expect(unread).toEqual([]);
  expect(facts.expiredClaims).toMatchObject({
    claims: 2,
    messages: 2,
    capped: false,
    claimedAtKnown: false,
    owners: [],
  });
});

test("while the table is locked, at most the facts that are read at once wait a second for it, so that other outboxes get their turn", async () => {
  const recorder = await startStatementRecorder(database().url);
  const recorded = createPool({
    ...{ url: recorder.url, applicationName: "outbox-console test", readOnly: true },
    ...{ max: 4, statementTimeoutMs: 5000 },
  });
  const locker = await session("pg_repack");
  await locker.query("BEGIN");
  await locker.query("LOCK TABLE shop.outbox_events IN ACCESS EXCLUSIVE MODE");
  const { facts, unread } = await gatherFacts({ reads: () => recorded, writes: () => recorded }, ref, limits);
  await locker.end();
  expect(facts.lockHolders).toMatchObject([{ applicationName: "pg_repack" }]);
  expect(unread.length).toBeGreaterThan(2);
  const waits = recorder.statements.flatMap(({ text }) => /lock_timeout = (\d+)/.exec(text)?.[1] ?? []);
  const firstShort = waits.indexOf("250");
  expect(firstShort).toBeGreaterThan(0);
  // The other connection may be waiting for its own second just then.
  expect(waits.slice(firstShort + 1)).not.toContain("1000");
  await recorded.end();
  await recorder.close();
});
