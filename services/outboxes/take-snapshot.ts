import type { Snapshot } from "#contracts/snapshot.ts";
import { readMonitorLease } from "#db/monitor/read-monitor-lease.ts";
import { type CountFigure, countMessages, type StateCounts } from "#db/outbox/postgres/count-messages.ts";
import { databaseClock, readWaiting } from "#db/outbox/postgres/read-waiting.ts";
import { toDatabaseError } from "#db/postgres/database-error.ts";
import { withReadTransaction } from "#db/postgres/transaction.ts";
import { listRelayRows } from "#db/relays/list-relays.ts";
import { countPartialPauses, type PartialPauses, readPauseRow } from "#db/relays/pauses.ts";
import { latestRates, type Rates } from "#db/samples/read-samples.ts";
import type { GatheredFacts } from "#db/watchdog/gather-facts.ts";
import type { Cause, DiagnosisInput } from "#domain/diagnosis/cause.ts";
import { diagnose } from "#domain/diagnosis/diagnose.ts";
import { before } from "#domain/diagnosis/phrases.ts";
import type { CauseCode } from "#domain/diagnosis/words.ts";
import { judgeLimits } from "../diagnosis/judged-limits.ts";
import { settingsOf } from "../diagnosis/settings-of.ts";
import { openSinceKeeper } from "../diagnosis/since-keeper.ts";
import { watchedFacts } from "../diagnosis/watched-facts.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { SingleFlight } from "../single-flight.ts";
import { requireReadable } from "../stores/outbox-stop.ts";
import { composeSnapshot, type ReadFigures, relayFacts } from "./compose-snapshot.ts";
import { outboxRef } from "./outbox-ref.ts";
import { hiddenRows } from "./row-security.ts";

/** Everyone who asks within this time gets the same figures: pages, health and metrics never disagree. */
const FRESH_MS = 1500;
const STATEMENT_TIMEOUT_MS = 3000;
const RATES_MAX_AGE_SECONDS = 30;
const MONITOR_ALIVE_SECONDS = 30;
const MONITOR_FRESH_MS = 2_000;

/** One look at an outbox: its figures and what they mean. */
export interface Examination {
  snapshot: Snapshot;
  /** Worst first. */
  causes: Cause[];
  /** Rules that could not be judged this time. */
  unread: CauseCode[];
  /** Why: what reading a fact threw. */
  errors: GatheredFacts["unread"];
  /** Our clock minus the database's; 0 where a slow answer may explain it. */
  clockOffsetMs: number;
}

const flights = new WeakMap<Runtime, SingleFlight<Examination>>();

/** The one set of figures of an outbox. Throws: not_found; unavailable or query_timeout, when the database is silent or its rows say nothing. */
export async function takeSnapshot(input: { runtime: Runtime; outbox: string }): Promise<Snapshot> {
  return (await examineOutbox(input)).snapshot;
}

/** The figures and their diagnosis, from one reading: whoever asks for either gets the same. Throws as takeSnapshot. */
export async function examineOutbox(input: { runtime: Runtime; outbox: string }): Promise<Examination> {
  const { runtime } = input;
  const handle = await runtime.outbox(input.outbox);
  requireReadable(handle.stop);
  let flight = flights.get(runtime);
  if (!flight) {
    flight = new SingleFlight<Examination>(FRESH_MS);
    flights.set(runtime, flight);
  }
  return flight.run(handle.name, () => examine(runtime, handle));
}

async function examine(runtime: Runtime, handle: OutboxHandle): Promise<Examination> {
  const started = performance.now();
  try {
    const [watched, read] = await Promise.all([watchedFacts(runtime, handle), readFigures(handle)]);
    const figures = handle.catalog.rowSecurity ? asUnknown(read) : read;
    const [rates, monitor] = await Promise.all([readRates(runtime, handle.name), readMonitor(runtime, figures.asOf)]);
    const diagnosis = diagnosisInput({ runtime, handle, figures, rates, monitor, watched });
    const sinceOf = await openSinceKeeper(runtime, handle.name, figures.asOf);
    const { causes, unread } = diagnose(diagnosis, sinceOf);
    const tookMs = performance.now() - started;
    const snapshot = composeSnapshot({ handle, figures, rates, monitor, diagnosis, causes, tookMs });
    return { snapshot, causes, unread, errors: watched.unread, clockOffsetMs: figures.consoleOffsetMs };
  } catch (error) {
    throw toDatabaseError(error, `outbox ${handle.name}`);
  }
}

function readFigures(handle: OutboxHandle): Promise<ReadFigures> {
  const ref = outboxRef(handle);
  const { name, storeSide } = handle;
  return withReadTransaction(handle.store.reads, STATEMENT_TIMEOUT_MS, async (client) => {
    const askedMs = Date.now();
    const asOf = await databaseClock(client);
    const consoleOffsetMs = offsetOf(askedMs, Date.now(), Date.parse(asOf));
    return {
      counts: await countMessages(client, ref),
      waiting: await readWaiting(client, ref),
      relays: storeSide ? await listRelayRows(client, name) : [],
      pause: storeSide ? await readPauseRow(client, name) : null,
      partialPauses: storeSide ? await countPartialPauses(client, name) : NO_PAUSES,
      asOf,
      consoleOffsetMs,
    };
  });
}

/** Of rows that row level security hides nothing is known: what was counted is a part of them at most. */
function asUnknown(figures: ReadFigures): ReadFigures {
  const unknown = (figure: CountFigure): CountFigure => ({ ...figure, precision: "unknown" });
  const { archived, ...inTable } = figures.counts;
  const counts = Object.fromEntries(Object.entries(inTable).map(([state, figure]) => [state, unknown(figure)]));
  const { waiting } = figures;
  return {
    ...figures,
    counts: { ...(counts as Omit<StateCounts, "archived">), archived },
    waiting: { ...waiting, oldestKnown: false, scheduled: unknown(waiting.scheduled), deadLast24h: null },
  };
}

const NO_PAUSES: PartialPauses = { eventTypes: 0, aggregates: 0, holds: 0 };

/** By how much our clock surely differs from the database's, ms: a slow answer is no difference. */
function offsetOf(askedMs: number, answeredMs: number, databaseMs: number): number {
  if (askedMs > databaseMs) return askedMs - databaseMs;
  return answeredMs < databaseMs ? answeredMs - databaseMs : 0;
}

/** The console side may be down or not there yet: then rates are unknown, and all else still stands. */
async function readRates(runtime: Runtime, outbox: string): Promise<Rates | null> {
  if (!runtime.consoleDb) return null;
  return latestRates(runtime.consoleDb, outbox, RATES_MAX_AGE_SECONDS).catch(() => null);
}

type Lease = Awaited<ReturnType<typeof readMonitorLease>>;
const monitorFlights = new WeakMap<Runtime, SingleFlight<Lease | undefined>>();

/** Null where there is no console side, or it does not answer. */
async function readMonitor(runtime: Runtime, asOf: string): Promise<Snapshot["monitor"]> {
  const { consoleDb } = runtime;
  if (!consoleDb) return null;
  let flight = monitorFlights.get(runtime);
  if (!flight) {
    flight = new SingleFlight(MONITOR_FRESH_MS);
    monitorFlights.set(runtime, flight);
  }
  const lease = await flight.run("monitor", () => readMonitorLease(consoleDb).catch(() => undefined));
  if (lease === undefined) return null;
  if (lease === null) return { alive: false, lastSeenAt: null };
  const age = lease.heartbeatAgeSeconds;
  return { alive: age < MONITOR_ALIVE_SECONDS, lastSeenAt: before(asOf, age) };
}

function diagnosisInput(input: {
  runtime: Runtime;
  handle: OutboxHandle;
  figures: ReadFigures;
  rates: Rates | null;
  monitor: Snapshot["monitor"];
  watched: GatheredFacts;
}): DiagnosisInput {
  const { runtime, handle, figures, rates, monitor, watched } = input;
  const { counts, waiting } = figures;
  const { pending, failed, in_flight, dead, unknown } = counts;
  const oldestSeconds = waiting.oldest?.ageSeconds ?? null;
  const judged = judgeLimits(runtime, handle.name, handle.config.thresholds, {
    oldestSeconds,
    dead: dead.value,
    failed: failed.value,
  });
  return {
    settings: settingsOf(handle),
    asOf: figures.asOf,
    figures: {
      waiting: pending.value + failed.value + in_flight.value,
      waitingCapped: pending.precision === "capped" || failed.precision === "capped",
      waitingKnown: waiting.oldestKnown && pending.precision !== "unknown",
      unknownBecause: handle.catalog.rowSecurity ? hiddenRows(handle.mapping.table) : null,
      failed: failed.value,
      dead: dead.value,
      unknown: unknown.value,
      oldestSeconds,
      agesKnown: handle.mapping.columns.createdAt !== undefined,
      oldestClaimSeconds: waiting.oldestClaimSeconds,
      inPerSecond: rates?.inPerSecond ?? null,
      outPerSecond: rates?.outPerSecond ?? null,
      failuresPerSecond: rates?.failuresPerSecond ?? null,
      judged,
    },
    facts: {
      ...watched.facts,
      mappingStop: handle.stop,
      relays: handle.storeSide ? relayFacts(figures) : null,
      monitor: monitor?.lastSeenAt ? { alive: monitor.alive, lastSeenAt: monitor.lastSeenAt } : null,
      consoleClock: { offsetMs: figures.consoleOffsetMs },
    },
  };
}
