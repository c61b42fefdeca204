import type { Snapshot } from "#contracts/snapshot.ts";
import type { OutboxFigures } from "#db/stores/port/outbox-figures.ts";
import type { GatheredFacts } from "#db/stores/port/outbox-watch.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import type { Cause } from "#domain/diagnosis/cause.ts";
import { diagnose } from "#domain/diagnosis/diagnose.ts";
import type { CauseCode } from "#domain/diagnosis/words.ts";
import { toAppError } from "#domain/errors.ts";
import { diagnosisInput } from "../diagnosis/diagnosis-input.ts";
import { openSinceKeeper } from "../diagnosis/since-keeper.ts";
import { watchedFacts } from "../diagnosis/watched-facts.ts";
import { perRuntime } from "../per-runtime.ts";
import type { OutboxHandle, Runtime, StoreHandle } from "../runtime.ts";
import { SingleFlight } from "../single-flight.ts";
import { requireReadable } from "../stores/outbox-stop.ts";
import { Turns } from "../stores/turns.ts";
import { composeSnapshot } from "./compose-snapshot.ts";
import { readMonitor, readRates } from "./console-side-facts.ts";
import { keepSnapshot } from "./last-snapshots.ts";
import { readFigures } from "./read-figures.ts";

/**
 * Everyone who asks within this time gets the same figures: pages, health and metrics never disagree. Figures that took
 * the database long stay a hundred times as long, so that reading them costs a hundredth of a core whoever looks. What
 * counts is the quickest of the last readings: a busy machine makes them slow, not dear.
 */
const LEAST_FRESH_MS = 1500;
const MOST_FRESH_MS = 5_000;
const SHARE_OF_A_CORE = 1 / 100;

export function freshMsOf(tookMs: number): number {
  return Math.min(MOST_FRESH_MS, Math.max(LEAST_FRESH_MS, tookMs / SHARE_OF_A_CORE));
}

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
  /** What a reading costs the database: the quickest of the last few. */
  costMs: number;
}

interface Question {
  runtime: Runtime;
  outbox: string;
  patienceMs?: number;
}

const flightOf = perRuntime(() => new SingleFlight<Examination>(({ costMs }) => freshMsOf(costMs)));

/** The one set of figures of an outbox. Throws as examineOutbox. */
export async function takeSnapshot(question: Question): Promise<Snapshot> {
  return (await examineOutbox(question)).snapshot;
}

/**
 * The figures and their diagnosis, from one reading: whoever asks for either gets the same. Throws: not_found;
 * unavailable within 2.5 s, when it is not there, its database is silent or its rows say nothing; query_timeout, when
 * the database answers and the figures take longer than `patienceMs`.
 */
export async function examineOutbox({ runtime, outbox, patienceMs }: Question): Promise<Examination> {
  const handle = await runtime.outbox(outbox);
  return examineHandle({ runtime, handle, patienceMs });
}

/** As examineOutbox, for an outbox that was just looked up: within `patienceMs`, whatever hangs. */
export async function examineHandle(input: {
  runtime: Runtime;
  handle: OutboxHandle;
  patienceMs?: number | undefined;
}): Promise<Examination> {
  const { runtime, handle, patienceMs } = input;
  requireReadable(handle.stop);
  const shared = flightOf(runtime);
  return handle.store.line.ask(
    () => shared.run(handle.name, () => examine(runtime, handle)),
    patienceMs === undefined ? {} : { patienceMs },
  );
}

const READINGS_REMEMBERED = 5;
const costsOf = perRuntime(() => new Map<string, number[]>());

function costOf(runtime: Runtime, outbox: string, tookMs: number): number {
  const ofRuntime = costsOf(runtime);
  const last = [tookMs, ...(ofRuntime.get(outbox) ?? [])].slice(0, READINGS_REMEMBERED);
  ofRuntime.set(outbox, last);
  return Math.min(...last);
}

/** Outboxes of one store that are read at once: fewer than its connections, so that an operator's click has one. */
const READ_AT_ONCE = 2;
const turns = new WeakMap<StoreHandle, Turns>();

function turnsOf(store: StoreHandle): Turns {
  let ofStore = turns.get(store);
  if (!ofStore) {
    ofStore = new Turns(READ_AT_ONCE);
    turns.set(store, ofStore);
  }
  return ofStore;
}

/** Something is or was wrong a moment ago: what explains it must not be older than the figures. */
const URGENT_SECONDS = 5;
function isUrgent({ counts, waiting, tableLocked }: OutboxFigures): boolean {
  const age = waiting.oldest?.ageSeconds ?? waiting.oldestClaimSeconds ?? 0;
  return (
    tableLocked || age > URGENT_SECONDS || counts.failed.value > 0 || counts.unknown.value > 0 || counts.dead.value > 0
  );
}

async function examine(runtime: Runtime, handle: OutboxHandle): Promise<Examination> {
  try {
    const figures = await turnsOf(handle.store).take(() => readFigures(handle));
    const watched = await watchedFacts(runtime, handle, { urgent: isUrgent(figures) });
    const { asOf } = figures;
    const [rates, monitor, sinceOf] = await Promise.all([
      readRates(runtime, handle.name),
      readMonitor(runtime, asOf),
      openSinceKeeper(runtime, handle.name, asOf),
    ]);
    const diagnosis = diagnosisInput({ runtime, handle, figures, rates, monitor, watched });
    const { causes, unread } = diagnose(diagnosis, sinceOf);
    const snapshot = composeSnapshot({ handle, figures, rates, monitor, diagnosis, causes });
    keepSnapshot(runtime, snapshot);
    return {
      snapshot,
      causes,
      unread,
      errors: watched.unread,
      clockOffsetMs: figures.consoleOffsetMs,
      costMs: costOf(runtime, handle.name, figures.tookMs),
    };
  } catch (error) {
    // The table is no longer the one that was read: the next question reads the catalog, and says what changed.
    if (troubleOf(error) === "missing") runtime.reread();
    throw toAppError(error);
  }
}
