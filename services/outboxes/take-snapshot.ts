import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import type { OutboxFigures } from "#db/stores/port/outbox-figures.ts";
import { isUnreachable, troubleOf } from "#db/stores/port/store-error.ts";
import { diagnose } from "#domain/diagnosis/diagnose.ts";
import { isAppError, toAppError } from "#domain/errors.ts";
import { connectorFacts } from "../connect/connector-facts.ts";
import { readConnector } from "../connect/read-connector.ts";
import { diagnosisInput } from "../diagnosis/diagnosis-input.ts";
import { openSinceKeeper } from "../diagnosis/since-keeper.ts";
import { beginFacts, watchedFacts } from "../diagnosis/watched-facts.ts";
import { perRuntime } from "../per-runtime.ts";
import { readConsumers } from "../reconciliation/read-consumers.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { SingleFlight } from "../single-flight.ts";
import { requireReadable } from "../stores/outbox-stop.ts";
import { StoreTurns } from "../stores/store-turns.ts";
import { composeSnapshot } from "./compose-snapshot.ts";
import { readMonitor, readRates } from "./console-side-facts.ts";
import type { Examination } from "./examination.ts";
import { keepExamination } from "./last-examinations.ts";
import { endOutage, noteOutage } from "./outbox-outages.ts";
import { readFigures } from "./read-figures.ts";
import { hasRowSecurityChanged } from "./row-security.ts";
import { ofToday, readNoWrites } from "./silent-relays.ts";

/**
 * All callers within this time share one reading, so pages, health and metrics never disagree. Readings stay fresh for
 * a hundred times their cost, up to 5 s, so that reading costs at most about a hundredth of a core. The cost is the
 * quickest of the last readings: a busy machine makes a reading slow, not expensive.
 */
const LEAST_FRESH_MS = 1500;
const MOST_FRESH_MS = 5_000;
const SHARE_OF_A_CORE = 1 / 100;

export function freshMsOf(tookMs: number): number {
  return Math.min(MOST_FRESH_MS, Math.max(LEAST_FRESH_MS, tookMs / SHARE_OF_A_CORE));
}

interface Question {
  runtime: Runtime;
  outbox: string;
  patienceMs?: number;
}

const flightOf = perRuntime(() => new SingleFlight<Examination>(({ costMs }) => freshMsOf(costMs)));

/** The shared figures of an outbox. Throws as examineOutbox. */
export async function takeSnapshot(question: Question): Promise<Snapshot> {
  return (await examineOutbox(question)).snapshot;
}

/**
 * The figures and their diagnosis from one shared reading. Throws: not_found; unavailable within 2.5 s, if the outbox
 * is missing, its database silent or its rows unreadable; query_timeout, if the database answers but the figures take
 * longer than `patienceMs`.
 */
export async function examineOutbox({ runtime, outbox, patienceMs }: Question): Promise<Examination> {
  const handle = await runtime.outbox(outbox).catch((error: unknown) => {
    if (isAppError(error) && error.code === "unavailable") noteOutage(runtime, outbox, "table");
    throw error;
  });
  return examineHandle({ runtime, handle, patienceMs });
}

/** As examineOutbox, for an outbox already looked up; answers within `patienceMs` even if something hangs. */
export async function examineHandle(input: {
  runtime: Runtime;
  handle: OutboxHandle;
  patienceMs?: number | undefined;
}): Promise<Examination> {
  const { runtime, handle, patienceMs } = input;
  const shared = flightOf(runtime);
  try {
    requireReadable(handle.stop);
    return await handle.store.guard.ask(
      () => shared.run(handle.name, () => examine(runtime, handle)),
      patienceMs === undefined ? {} : { patienceMs },
    );
  } catch (error) {
    // A slow answer does not stop relays, so it is no outage.
    if (isAppError(error) && error.code !== "query_timeout") noteOutage(runtime, handle.name, "table");
    throw error;
  }
}

const READINGS_REMEMBERED = 5;
const costsOf = perRuntime(() => new Map<string, number[]>());

function costOf(runtime: Runtime, outbox: string, tookMs: number): number {
  const ofRuntime = costsOf(runtime);
  const last = [tookMs, ...(ofRuntime.get(outbox) ?? [])].slice(0, READINGS_REMEMBERED);
  ofRuntime.set(outbox, last);
  return Math.min(...last);
}

/** Outboxes of one store read concurrently: fewer than its connections, so that operators' requests get one. */
const READ_AT_ONCE = 2;
const turns = new StoreTurns(READ_AT_ONCE);

/** True if something is wrong or was a moment ago; the explaining facts must then be as fresh as the figures. */
const URGENT_SECONDS = 5;
function isUrgent({ counts, waiting, tableLocked }: OutboxFigures): boolean {
  const age = waiting.oldest?.ageSeconds ?? waiting.oldestClaimSeconds ?? 0;
  return (
    tableLocked || age > URGENT_SECONDS || counts.failed.value > 0 || counts.unknown.value > 0 || counts.dead.value > 0
  );
}

/** Throws the change of the table, if the catalog shows one. */
async function reportChange(runtime: Runtime, outbox: string): Promise<void> {
  runtime.reread();
  requireReadable((await runtime.outbox(outbox)).stop);
}

/**
 * A server may end a connection in use, as poolers and administrators do. That is no outage if it takes the next one.
 */
function readWithAnotherLine(handle: OutboxHandle): Promise<OutboxFigures> {
  return readFigures(handle).catch((error: unknown) => {
    if (isUnreachable(error)) return readFigures(handle);
    throw error;
  });
}

async function examine(runtime: Runtime, known: OutboxHandle): Promise<Examination> {
  try {
    const connecting = readConnector(runtime, known);
    const figures = await turns.run(known.store, () => {
      beginFacts(runtime, known);
      return readWithAnotherLine(known);
    });
    const readAtMs = performance.now();
    const handle = await ofToday(runtime, known, figures);
    if (hasRowSecurityChanged(handle, figures)) runtime.reread();
    const noWrites = readNoWrites(runtime, handle, figures);
    const watched = await watchedFacts(runtime, handle, { urgent: isUrgent(figures) });
    const { clockAt: asOf } = figures;
    const consumers = await readConsumers(runtime, handle.name);
    const [rates, monitor, sinceOf] = await Promise.all([
      readRates(runtime, handle.name),
      readMonitor(runtime, asOf),
      openSinceKeeper(runtime, handle.name, asOf),
    ]);
    const refused = await noWrites;
    if (refused?.readOnly) noteOutage(runtime, handle.name, "writes");
    const outages = {
      table: endOutage(runtime, handle.name, "table"),
      writes: refused?.readOnly === null ? endOutage(runtime, handle.name, "writes") : null,
    };
    const connector = connectorFacts(runtime, handle, { look: await connecting, rates, asOf });
    const diagnosis = diagnosisInput({
      ...{ runtime, handle, figures, rates, monitor: monitor.facts, watched, consumers: consumers.facts, outages },
      ...(refused ?? {}),
      ...(connector === undefined ? {} : { connector }),
    });
    const { causes, unread } = diagnose(diagnosis, sinceOf);
    const snapshot = composeSnapshot({
      handle,
      figures,
      rates,
      monitor: monitor.shown,
      diagnosis,
      causes,
      consumers: consumers.figures,
    });
    return keepExamination(
      runtime,
      {
        snapshot,
        causes,
        unread,
        errors: watched.unread,
        clockOffsetMs: figures.consoleOffsetMs,
        costMs: costOf(runtime, handle.name, figures.tookMs),
      },
      readAtMs,
    );
  } catch (error) {
    if (troubleOf(error) === "missing") await reportChange(runtime, known.name);
    throw toAppError(error);
  }
}
