import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { TABLE } from "#tests/outbox-table.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createMemorySink } from "../../sinks/memory/memory-sink.ts";
import type { PublishOutcome } from "../../sinks/sink.ts";
import { AMBIGUOUS, BENCH_DDL, createBenchRelay, openBenchTable } from "../../testing/bench-relay.fixture.ts";
import { outOfOrder } from "../../testing/out-of-order.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

const ENVIRONMENT: PublishOutcome = {
  kind: "failed",
  failure: { code: "unavailable", kind: "environment", message: "HTTP 503" },
};
const REJECTED: PublishOutcome = {
  kind: "failed",
  failure: { code: "rejected", kind: "message", message: "HTTP 400" },
};
const ANSWERS = { ambiguous: AMBIGUOUS, environment: ENVIRONMENT, rejected: REJECTED } as const;

/** PROPERTY_RUNS and PROPERTY_SEED allow longer searches than a run of the whole suite. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 12);
const SEED = Number(process.env.PROPERTY_SEED ?? 20260301);

const scenario = fc.record({
  transactions: fc.array(
    fc.record({ aggregates: fc.array(fc.nat(4), { minLength: 1, maxLength: 4 }), delayMs: fc.nat(6) }),
    { minLength: 5, maxLength: 30 },
  ),
  /** The sink's answer to its n-th call, before it confirms everything. */
  answers: fc.array(fc.constantFrom("ok", "ok", "ok", "ambiguous", "environment", "rejected"), { maxLength: 25 }),
  batchSize: fc.integer({ min: 1, max: 20 }),
  concurrency: fc.integer({ min: 1, max: 8 }),
  runs: fc.boolean(),
});

describe("any schedule of writers and any sink answers", { timeout: 60_000 + RUNS * 10_000 }, () => {
  let harness: RelayHarness | undefined;
  afterEach(() => harness?.close());

  test("every message is delivered or dead, and first deliveries follow the order of their aggregate", async () => {
    harness = await openHarness(BENCH_DDL);
    const { pool, databaseUrl, scalar } = harness;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ transactions, answers, batchSize, concurrency, runs }) => {
        await pool.query(`TRUNCATE ${TABLE} RESTART IDENTITY`);
        await pool.query("TRUNCATE outbox_console.delivery, outbox_console.dead_letter, outbox_console.attempt");
        let calls = 0;
        const delivered: OutgoingMessage[] = [];
        const sink = createMemorySink({
          maxBatch: runs ? 10 : 1,
          answer: async (message) => {
            const answer = answers[calls++] ?? "ok";
            await new Promise((resolve) => setTimeout(resolve, calls % 3));
            if (answer !== "ok") return ANSWERS[answer];
            delivered.push(message);
            return { kind: "published" };
          },
        });
        const table = openBenchTable({ url: databaseUrl, relayId: "property" });
        const settings = { batchSize, concurrency, onFailure: "block", retry: { initialMs: 1, maxMs: 60 } } as const;
        const relay = createBenchRelay({ id: "property", table, sink, settings });
        const stopping = new AbortController();
        const running = relay.run(stopping.signal);
        try {
          await Promise.all(
            [0, 1, 2].map((lane) =>
              writeAll(
                transactions.filter((_, index) => index % 3 === lane),
                lane,
              ),
            ),
          );
          await waitFor(
            async () => (await scalar(`SELECT count(*)::int FROM ${TABLE} WHERE published_at IS NULL`)) === 0,
            {
              message: "all are delivered or dead",
            },
          );
        } finally {
          stopping.abort();
          await running;
          await table.close();
        }
        const dead = Number(await scalar("SELECT count(*)::int FROM outbox_console.dead_letter"));
        const total = transactions.reduce((sum, { aggregates }) => sum + aggregates.length, 0);
        expect(new Set(delivered.map(({ id }) => id)).size + dead).toBe(total);
        expect(outOfOrder(delivered)).toEqual([]);
        expect(await scalar("SELECT count(*)::int FROM outbox_console.claim")).toBe(0);
      }),
      { numRuns: RUNS, seed: SEED },
    );

    /** Each writer has separate aggregates, so that it commits them in the order of its writes. */
    async function writeAll(list: { aggregates: number[]; delayMs: number }[], lane: number): Promise<void> {
      const client = await pool.connect();
      for (const { aggregates, delayMs } of list) {
        await client.query("BEGIN");
        for (const aggregate of aggregates) {
          await client.query(
            `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload) VALUES ('t', $1, 'e', '{}')`,
            [`${lane}-${aggregate}`],
          );
        }
        await client.query("SELECT pg_sleep($1)", [delayMs / 1000]);
        await client.query("COMMIT");
      }
      client.release();
    }
  });
});
