import type { Snapshot, Verdict } from "#contracts/snapshot.ts";
import { orderingOf } from "#db/outbox/ordering.ts";
import { countMessages, type StateCounts } from "#db/outbox/postgres/count-messages.ts";
import { readWaiting, type Waiting } from "#db/outbox/postgres/read-waiting.ts";
import { toDatabaseError } from "#db/postgres/database-error.ts";
import { withReadTransaction } from "#db/postgres/transaction.ts";
import { listRelayRows, type RelayRow } from "#db/relays/list-relays.ts";
import { countPartialPauses, type PartialPauses, type PauseRow, readPauseRow } from "#db/relays/pauses.ts";
import { latestRates, type Rates } from "#db/samples/read-samples.ts";
import { type VerdictOutput, verdictOf } from "#domain/verdict.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { SingleFlight } from "../single-flight.ts";
import { outboxRef } from "./outbox-ref.ts";

/** Everyone who asks within this time gets the same figures: pages, health and metrics never disagree. */
const FRESH_MS = 1500;
const STATEMENT_TIMEOUT_MS = 3000;
/** A relay that was not heard of for this long is not alive. */
export const RELAY_ALIVE_SECONDS = 10;
const RATES_MAX_AGE_SECONDS = 30;

const flights = new WeakMap<Runtime, SingleFlight<Snapshot>>();

/** The one set of figures of an outbox. Throws: not_found; unavailable or query_timeout, when the database is silent. */
export async function takeSnapshot(input: { runtime: Runtime; outbox: string }): Promise<Snapshot> {
  const { runtime } = input;
  const handle = await runtime.outbox(input.outbox);
  let flight = flights.get(runtime);
  if (!flight) {
    flight = new SingleFlight<Snapshot>(FRESH_MS);
    flights.set(runtime, flight);
  }
  return flight.run(handle.name, () => readSnapshot(runtime, handle));
}

interface Facts {
  counts: StateCounts;
  waiting: Waiting;
  relays: RelayRow[];
  pause: PauseRow | null;
  partialPauses: PartialPauses;
}

async function readSnapshot(runtime: Runtime, handle: OutboxHandle): Promise<Snapshot> {
  const started = performance.now();
  const ref = outboxRef(handle);
  try {
    const facts = await withReadTransaction(
      handle.store.reads,
      STATEMENT_TIMEOUT_MS,
      async (client): Promise<Facts> => ({
        counts: await countMessages(client, ref),
        waiting: await readWaiting(client, ref),
        relays: handle.storeSide ? await listRelayRows(client, handle.name) : [],
        pause: handle.storeSide ? await readPauseRow(client, handle.name) : null,
        partialPauses: handle.storeSide ? await countPartialPauses(client, handle.name) : NO_PAUSES,
      }),
    );
    const rates = await readRates(runtime, handle.name);
    return toSnapshot({ handle, facts, rates, tookMs: performance.now() - started });
  } catch (error) {
    throw toDatabaseError(error, `outbox ${handle.name}`);
  }
}

const NO_PAUSES: PartialPauses = { eventTypes: 0, aggregates: 0, holds: 0 };

/** The console side may be down or not there yet: then rates are unknown, and all else still stands. */
async function readRates(runtime: Runtime, outbox: string): Promise<Rates | null> {
  if (!runtime.consoleDb) return null;
  return latestRates(runtime.consoleDb, outbox, RATES_MAX_AGE_SECONDS).catch(() => null);
}

function toSnapshot(input: { handle: OutboxHandle; facts: Facts; rates: Rates | null; tookMs: number }): Snapshot {
  const { handle, facts, rates } = input;
  const { counts, waiting } = facts;
  const { thresholds, mode } = handle.config;
  const relays = mode === "relay" ? relaySummary(facts) : null;
  const seconds = (ms: number) => ms / 1000;
  const verdict = verdictOf({
    waiting: counts.pending.value + counts.failed.value + counts.in_flight.value,
    waitingKnown: waiting.oldestKnown && counts.pending.precision !== "unknown",
    failed: counts.failed.value,
    dead: counts.dead.value,
    oldestSeconds: waiting.oldest?.ageSeconds ?? null,
    oldestClaimSeconds: waiting.oldestClaimSeconds,
    warnSeconds: seconds(thresholds.oldestPending.warn),
    failSeconds: seconds(thresholds.oldestPending.fail),
    deadWarn: thresholds.dead.warn,
    deadFail: thresholds.dead.fail,
    inPerSecond: rates?.inPerSecond ?? null,
    outPerSecond: rates?.outPerSecond ?? null,
    failuresPerSecond: rates?.failuresPerSecond ?? null,
    relay: relays
      ? {
          ...relays,
          lastState: aliveRelays(facts)[0]?.state ?? null,
          lastError: aliveRelays(facts)[0]?.lastError ?? null,
        }
      : null,
    blockedAggregates: waiting.blocked.aggregates,
    asOf: waiting.asOf,
  });
  const { archived, expired, unknown, pending, failed, in_flight, dead, published } = counts;
  return {
    outbox: handle.name,
    asOf: waiting.asOf,
    tookMs: Math.round(input.tookMs),
    counts: { pending, failed, in_flight, dead, published, archived, expired, unknown },
    scheduled: waiting.scheduled,
    blocked: {
      messages: { value: waiting.blocked.messages, precision: waiting.blocked.capped ? "capped" : "exact" },
      aggregates: waiting.blocked.aggregates,
      oldestAgeSeconds: waiting.blocked.oldestAgeSeconds,
    },
    oldestPending: waiting.oldest,
    oldestPendingKnown: waiting.oldestKnown,
    oldestClaimSeconds: waiting.oldestClaimSeconds,
    nextRetryInSeconds: waiting.nextRetryInSeconds,
    deadLast24h: waiting.deadLast24h,
    rates: {
      inPerSecond: rates?.inPerSecond ?? null,
      outPerSecond: rates?.outPerSecond ?? null,
      failuresPerSecond: rates?.failuresPerSecond ?? null,
    },
    latency:
      rates?.p50Ms != null && rates.p99Ms != null
        ? { p50Ms: rates.p50Ms, p99Ms: rates.p99Ms, basis: "messages published in the last seconds" }
        : null,
    relays,
    thresholds: {
      oldestPending: {
        warnSeconds: seconds(thresholds.oldestPending.warn),
        failSeconds: seconds(thresholds.oldestPending.fail),
      },
      dead: thresholds.dead,
      failed: thresholds.failed,
    },
    ordering: orderingOf(handle.mapping, handle.config.relay?.ordering ?? "aggregate"),
    verdict: toContract(verdict, handle.name),
  };
}

function aliveRelays(facts: Facts): RelayRow[] {
  return facts.relays.filter((relay) => relay.heartbeatAgeSeconds < RELAY_ALIVE_SECONDS && relay.state !== "stopped");
}

function relaySummary(facts: Facts): NonNullable<Snapshot["relays"]> {
  const alive = aliveRelays(facts);
  const recent = facts.relays.filter((relay) => relay.state !== "stopped" && relay.heartbeatAgeSeconds < 3600);
  const broken = alive.find((relay) => relay.breaker !== null);
  return {
    alive: alive.length,
    known: Math.max(alive.length, recent.length),
    heartbeatAgeSeconds:
      facts.relays.length > 0 ? Math.min(...facts.relays.map((relay) => relay.heartbeatAgeSeconds)) : null,
    breaker: broken?.breaker
      ? {
          sink: broken.sink.name,
          code: broken.breaker.code,
          message: broken.breaker.message,
          since: broken.breaker.since,
        }
      : null,
    stream: facts.relays.find((relay) => relay.stream !== null)?.stream ?? null,
    paused: facts.pause ? { reason: facts.pause.reason, by: facts.pause.by, until: facts.pause.until } : null,
    partialPauses: facts.partialPauses,
  };
}

const PAGES: Record<NonNullable<VerdictOutput["next"]>["page"], (outbox: string) => string> = {
  stuck: (outbox) => `/stuck?outbox=${outbox}`,
  relays: (outbox) => `/relays?outbox=${outbox}`,
  failed: (outbox) => `/messages?outbox=${outbox}&state=failed`,
  dead: (outbox) => `/messages?outbox=${outbox}&state=dead`,
  settings: (outbox) => `/settings?outbox=${outbox}`,
  unsent: (outbox) => `/messages?outbox=${outbox}&state=unsent`,
};

function toContract(verdict: VerdictOutput, outbox: string): Verdict {
  const { next, ...rest } = verdict;
  return { ...rest, next: next ? { label: next.label, href: PAGES[next.page](encodeURIComponent(outbox)) } : null };
}
