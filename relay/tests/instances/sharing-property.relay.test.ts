import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import type { Pool } from "pg";
import { afterEach, describe, expect, test } from "vitest";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { TABLE } from "#tests/outbox-table.ts";
import { waitFor } from "#tests/wait-for.ts";
import type { PublishOutcome } from "../../sinks/sink.ts";
import { AMBIGUOUS, BENCH_DDL } from "../../testing/bench-relay.fixture.ts";
import { type MortalRelay, startMortalRelay } from "../../testing/mortal-relay.fixture.ts";
import { outOfOrder } from "../../testing/out-of-order.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

/** PROPERTY_RUNS and PROPERTY_SEED allow longer searches than a run of the whole suite. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 2);
const SEED = Number(process.env.PROPERTY_SEED ?? 20260302);
const LEASE_MS = 1500;
const MOST_RELAYS = 4;

const schedule = fc.record({
  changes: fc.array(
    fc.record({
      afterMs: fc.integer({ min: 100, max: 1800 }),
      kind: fc.constantFrom("join", "join", "leave", "crash"),
      which: fc.nat(MOST_RELAYS),
    }),
    { minLength: 4, maxLength: 8 },
  ),
  /** One message in this many is first answered with HTTP 500. */
  oneFailsOf: fc.integer({ min: 40, max: 400 }),
  batchSize: fc.integer({ min: 20, max: 200 }),
  concurrency: fc.integer({ min: 1, max: 16 }),
});

describe("relays that join, leave and die at any time", { timeout: 60_000 + RUNS * 60_000 }, () => {
  let harness: RelayHarness | undefined;
  afterEach(() => harness?.close());

  test(`every message is delivered, first deliveries in the order of their aggregate (seed ${SEED})`, async () => {
    const opened = await openHarness(BENCH_DDL);
    harness = opened;
    await fc.assert(
      fc.asyncProperty(schedule, (input) => play(opened, input)),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  });
});

type Schedule = typeof schedule extends fc.Arbitrary<infer Value> ? Value : never;

async function play({ pool, databaseUrl, scalar }: RelayHarness, input: Schedule): Promise<void> {
  const { changes, oneFailsOf, batchSize, concurrency } = input;
  await pool.query(`TRUNCATE ${TABLE} RESTART IDENTITY`);
  await pool.query("TRUNCATE outbox_console.delivery, outbox_console.claim, outbox_console.lease");
  const delivered: OutgoingMessage[] = [];
  let calls = 0;
  const answer = async (message: OutgoingMessage): Promise<PublishOutcome> => {
    calls += 1;
    if (calls % oneFailsOf === 0) return AMBIGUOUS;
    delivered.push(message);
    return { kind: "published" };
  };
  const settings = { batchSize, concurrency, onFailure: "block", retry: { initialMs: 1, maxMs: 60 } } as const;
  const join = (n: number) =>
    startMortalRelay({ id: `r${n}-${Math.random()}`, url: databaseUrl, leaseMs: LEASE_MS, settings, answer });
  const relays: MortalRelay[] = [join(0)];
  const all = [...relays];
  const writing = new AbortController();
  const writers = [0, 1, 2].map((writer) => write(pool, writer, writing.signal));
  try {
    for (const [index, { afterMs, kind, which }] of changes.entries()) {
      await delay(afterMs);
      if (kind === "join" && relays.length < MOST_RELAYS) {
        const relay = join(index + 1);
        relays.push(relay);
        all.push(relay);
      } else if (relays.length > 1) {
        const [gone] = relays.splice(which % relays.length, 1);
        if (kind === "crash") gone?.crash();
        else gone?.leave();
      }
    }
    writing.abort();
    await Promise.all(writers);
    await waitFor(async () => (await scalar(`SELECT count(*)::int FROM ${TABLE} WHERE published_at IS NULL`)) === 0, {
      timeoutMs: 30_000,
      message: "all are delivered",
    });
  } finally {
    writing.abort();
    for (const relay of relays) relay.leave();
    await Promise.all(all.map((relay) => relay.gone));
  }
  const total = Number(await scalar(`SELECT count(*)::int FROM ${TABLE}`));
  expect(new Set(delivered.map(({ id }) => id)).size).toBe(total);
  expect(outOfOrder(delivered)).toEqual([]);
  expect(await scalar("SELECT count(*)::int FROM outbox_console.delivery")).toBe(0);
}

/** Each writer has separate aggregates, so that it commits them in the order of its writes. */
async function write(pool: Pool, writer: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pool.query(
      `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload)
       SELECT 't', $1 || '-' || floor(random() * 30), 'e', '{}' FROM generate_series(1, 8)`,
      [String(writer)],
    );
    await delay(Math.random() * 150);
  }
}
