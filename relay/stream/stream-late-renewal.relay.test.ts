import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RelayStream } from "#db/stores/port/relay/relay-stream.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { lockOutbox } from "#db/stores/postgres/tables/outbox-lock.ts";
import { OUTBOX, TABLE } from "#tests/outbox-table.ts";
import { variants } from "#tests/test-depth.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createMemorySink, type MemorySink } from "../sinks/memory/memory-sink.ts";
import { ABORTED, type Sink } from "../sinks/sink.ts";
import { BENCH_DDL, createBenchRelay, openBenchTable } from "../testing/bench-relay.fixture.ts";
import { type Delivery, distinct, inversions } from "../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../testing/relay-harness.fixture.ts";
import { createStream, dropSlot, waitUntilConnected } from "../testing/stream.fixture.ts";

/** Renewed every 500 ms, valid for 1 s. */
const LEASE_MS = 1500;
const AGGREGATES = 3;
const ROUNDS = 5;
/** Lock timeout of the relay's own statements. */
const LOCK_TIMEOUT_MS = 1000;

describe.each(variants<"column" | "none">(["none"], ["column"]))(
  "a renewal that comes late to a relay that reads the log, mark: %s",
  (mark) => {
    let harness: RelayHarness;
    let slot: string;
    let table: RelayTable;
    let memory: MemorySink;
    let stopping: AbortController;
    let running: Promise<void>;

    beforeEach(async () => {
      harness = await openHarness(BENCH_DDL);
      slot = await createStream(harness.pool, TABLE);
      table = openBenchTable({ url: harness.databaseUrl, relayId: "late", cdc: { slot, publication: slot, mark } });
      memory = createMemorySink();
      stopping = new AbortController();
      running = Promise.resolve();
    });
    afterEach(async () => {
      stopping.abort();
      await running.finally(() => table.close());
      await dropSlot(harness.pool, slot);
      await harness.close();
    });

    /** `sink` and `watched` wrap the memory and the table. */
    async function start({
      sink = memory,
      watched = table,
    }: {
      sink?: Sink;
      watched?: RelayTable;
    } = {}): Promise<void> {
      const retry = { initialMs: 10, maxMs: 100 };
      const settings = { batchSize: 100, concurrency: 16, onFailure: "block", retry } as const;
      const create = () => createBenchRelay({ id: "late", table: watched, sink, settings, leaseMs: LEASE_MS });
      const { signal } = stopping;
      // Restarts like every relay, but not at once: releasing a lease that a test has locked may fail.
      const supervise = async () => {
        while (!signal.aborted)
          await create()
            .run(signal)
            .catch(() => nextTurn());
      };
      running = supervise();
      await waitUntilConnected(harness);
    }

    async function insert(n: number, aggregates = AGGREGATES, prefix = "a"): Promise<void> {
      await harness.pool.query(
        `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload)
       SELECT 'order', $3 || i, 'e', jsonb_build_object('aggregate', $3 || i, 'n', $2::int) FROM generate_series(1, $1) i`,
        [aggregates, n, prefix],
      );
    }
    const deliveries = (): Delivery[] => memory.received.map(({ payload }) => JSON.parse(payload ?? ""));
    const waitUntilDelivered = (count: number) =>
      waitFor(() => distinct(deliveries()) >= count, { message: `${count} were delivered` });

    /** A session waits for another transaction's lock. */
    const waits = (kind: "advisory" | "transactionid") => async () =>
      (await harness.scalar(
        `SELECT count(*)::int FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND locktype = '${kind}' AND NOT granted`,
      )) !== 0;

    /** A round fails when the relay has already lost its term: it neither claims nor renews then. */
    const claimAfterTheEnd = (n: number) =>
      waitFor(() => tryToClaimAfterTheEnd(n), { message: "a renewal waited, and a claim before it" });

    /** The lease expires while a claim waits, and the renewal that also waits follows right behind it. */
    async function tryToClaimAfterTheEnd(n: number): Promise<boolean> {
      const lasts = "SELECT bool_and(until > clock_timestamp()) FROM outbox_console.lease";
      await waitFor(async () => (await harness.scalar(lasts)) === true, { message: "the lease lasts" });
      const other = await harness.pool.connect();
      try {
        await other.query("BEGIN");
        await lockOutbox(other, OUTBOX, "exclusive");
        await other.query("UPDATE outbox_console.lease SET until = clock_timestamp() - interval '1 second'");
        if (!(await comesWithin(waits("transactionid"), 2 * LEASE_MS))) {
          await other.query("ROLLBACK");
          return false;
        }
        await insert(n);
        await comesWithin(waits("advisory"), LOCK_TIMEOUT_MS);
        await other.query("COMMIT");
        return true;
      } finally {
        other.release();
      }
    }

    const comesWithin = (condition: () => Promise<boolean>, timeoutMs: number) =>
      waitFor(condition, { timeoutMs, message: "it comes" }).then(
        () => true,
        () => false,
      );

    test("a claim between the lease's expiry and its renewal loses and reorders nothing", async () => {
      await start();
      await insert(0);
      await waitUntilDelivered(AGGREGATES);
      for (let round = 1; round <= ROUNDS; round += 1) await claimAfterTheEnd(round);
      await insert(ROUNDS + 1);
      // Simulates another relay that takes everything over and leaves again.
      await harness.pool.query(
        `WITH ended AS (DELETE FROM outbox_console.claim)
       UPDATE outbox_console.lease SET owner = '', until = clock_timestamp(), epoch = epoch + 1`,
      );
      await insert(ROUNDS + 2);
      await waitUntilDelivered(AGGREGATES * (ROUNDS + 3));
      expect(inversions(deliveries())).toEqual([]);
    });

    test("aborted messages on their way back are not overtaken by a claim in flight", async () => {
      const gate = Promise.withResolvers<void>();
      let [held, aborted, gated, claimed, returned] = [false, false, false, false, 0];
      const sink: Sink = {
        ...memory,
        async publish(messages, signal) {
          if (held || messages[0]?.aggregateId !== "a1") return memory.publish(messages, signal);
          held = true;
          await once(signal, "abort");
          aborted = true;
          return messages.map(() => ABORTED);
        },
      };
      const { stream } = table;
      if (!stream) throw new Error("The table has no stream.");
      const claim: RelayStream["claim"] = async (request) => {
        const result = await stream.claim(request);
        claimed = true;
        if (gated) await gate.promise;
        return result;
      };
      const settle: RelayTable["settle"] = async (request) => {
        const result = await table.settle(request);
        returned += request.entries.filter(({ outcome }) => outcome.kind === "given_back").length;
        return result;
      };
      const watched = Object.assign(Object.create(table) as RelayTable, { stream: { ...stream, claim }, settle });
      await start({ sink, watched });
      let others = 0;
      await waitFor(
        async () => {
          if (!claimed) await insert(others++, 1, "other");
          return claimed;
        },
        { message: "the log is claimed from" },
      );
      await insert(0, 1);
      await insert(1, 1);
      await waitFor(() => held, { message: "the first is with the sink" });
      [claimed, gated] = [false, true];
      let next = 2;
      const other = await harness.pool.connect();
      try {
        await waitFor(
          async () => {
            if (!claimed) await insert(next++, 1);
            return claimed;
          },
          { message: "the next are claimed" },
        );
        await other.query("BEGIN");
        await other.query("SELECT FROM outbox_console.lease FOR UPDATE");
        await waitFor(() => aborted, { message: "the lease has run out" });
        // Its term may be lost on the way; order must hold all the same.
        await waitFor(() => returned >= 2, { timeoutMs: 5000, message: "the first went back" }).catch(() => undefined);
      } finally {
        gate.resolve();
        await other.query("ROLLBACK");
        other.release();
      }
      await waitUntilDelivered(others + next);
      expect(inversions(deliveries())).toEqual([]);
    });
  },
);
