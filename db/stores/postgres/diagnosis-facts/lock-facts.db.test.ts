import { expect, test } from "vitest";
import { FACT_LIMITS } from "#db/stores/conformance/fact-limits.fixture.ts";
import { startStatementRecorder } from "#tests/statement-recorder.ts";
import { waitFor } from "#tests/wait-for.ts";
import { findLockHolder } from "../act/find-lock-holder.ts";
import { createPool } from "../connection/pool.ts";
import { gatherFacts } from "./gather-facts.ts";
import { factsOfShop } from "./shop-facts.fixture.ts";

const { database, demo, ref, pools, gather, addEvents, session } = factsOfShop();

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
    expect(await findLockHolder(pools.reads(), ref(), first)).toMatch(
      /^the prepared transaction bank-42, prepared .+ ago$/,
    );
  } finally {
    await demo().pool.query("ROLLBACK PREPARED 'bank-42'");
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
    const { facts } = await gatherFacts(pools, ref(), FACT_LIMITS);
    expect(facts.lockHolders).toMatchObject([{ preparedId: "ddl-7", mode: "AccessExclusiveLock", wholeTable: true }]);
  } finally {
    await demo().pool.query("ROLLBACK PREPARED 'ddl-7'");
  }
});

test("a reader behind which migrations queue for the whole table is named, and they in their order", async () => {
  const [reader, second, first] = [
    await session("long-report"),
    await session("add-index"),
    await session("add-column"),
  ];
  const named = async () =>
    (await gatherFacts(pools, ref(), FACT_LIMITS)).facts.lockHolders?.filter((one) => one.queuedSessions?.length);
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
  const { facts, unread } = await gatherFacts(pools, ref(), FACT_LIMITS);
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

test("while the table is locked, at most the facts that are read at once wait a second for it, so that other outboxes get their turn", async () => {
  const recorder = await startStatementRecorder(database().url);
  const recorded = createPool({
    ...{ url: recorder.url, applicationName: "outbox-console test", readOnly: true },
    ...{ max: 4, statementTimeoutMs: 5000 },
  });
  const locker = await session("pg_repack");
  await locker.query("BEGIN");
  await locker.query("LOCK TABLE shop.outbox_events IN ACCESS EXCLUSIVE MODE");
  const { facts, unread } = await gatherFacts({ reads: () => recorded, writes: () => recorded }, ref(), FACT_LIMITS);
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
