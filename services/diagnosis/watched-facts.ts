import { orderingOf } from "#db/stores/port/ordering.ts";
import type { GatheredFacts } from "#db/stores/port/outbox-watch.ts";
import { isHarmful } from "#domain/diagnosis/causes/locked.ts";
import { cdcNames } from "../config/cdc-names.ts";
import { connectorSlotOf } from "../connect/read-connector.ts";
import { delay } from "../delay.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import { perRuntime } from "../per-runtime.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { StoreTurns } from "../stores/store-turns.ts";
import { factsRestMs } from "./facts-pace.ts";
import { keepLockedRows } from "./keep-locked-rows.ts";
import { type DatedFacts, keepAll, keepUnread } from "./keep-unread.ts";
import { settingsOf } from "./settings-of.ts";

/** While something is wrong: how long a caller waits for a due read. */
const URGENT_WAIT_MS = 700;
/** How long a caller waits for the first read before it gets figures without facts. */
const FIRST_LOOK_MS = 1_500;
/** Facts that are overdue by more than this are discarded. */
const LATE_MS = 12_000;
/** Concurrent reads per store: its connections are for the figures and for operators. */
const LOOKS_AT_ONCE = 1;

interface Look {
  latest: DatedFacts | null;
  endedAtMs: number;
  /** Cost of the last read. */
  tookMs: number;
  running: Promise<void> | null;
  /** Something was wrong when the facts were last asked for. */
  urgent: boolean;
}

const boardOf = perRuntime(() => new Map<string, Look>());
/** The latest facts. */
export interface Watched extends GatheredFacts {
  /** Seconds since the reading of the lock holders began; null if they were not read. */
  locksReadSeconds: number | null;
  /** The same for expired claims. */
  claimsReadSeconds: number | null;
}

const NOTHING: Watched = { facts: {}, unread: [], tookMs: 0, locksReadSeconds: null, claimsReadSeconds: null };

/**
 * The latest facts about one outbox beyond its figures, at most some seconds old. A fact that could not be read again
 * is kept for 12 s and unknown after that. Never throws.
 */
export async function watchedFacts(
  runtime: Runtime,
  handle: OutboxHandle,
  { urgent }: { urgent: boolean },
): Promise<Watched> {
  const look = lookOf(runtime, handle.name);
  look.urgent = urgent;
  const restMs = beginIfDue(runtime, look, handle);
  // Nobody has asked for a while, so the facts are outdated.
  if (performance.now() - look.endedAtMs > restMs + LATE_MS) look.latest = null;
  const patienceMs = look.latest === null ? FIRST_LOOK_MS : urgent ? URGENT_WAIT_MS : 0;
  if (look.running && patienceMs > 0) await Promise.race([look.running, delay(patienceMs)]);
  if (look.latest === null) return NOTHING;
  const { gathered, readAtMs } = look.latest;
  const readSeconds = (fact: "lockHolders" | "expiredClaims") => {
    const atMs = readAtMs.get(fact);
    return atMs === undefined ? null : (performance.now() - atMs + gathered.tookMs) / 1000;
  };
  return {
    ...gathered,
    locksReadSeconds: readSeconds("lockHolders"),
    claimsReadSeconds: readSeconds("expiredClaims"),
  };
}

/**
 * Begins the next read if it is due, in parallel with the figures, so that a caller of watchedFacts waits only for the
 * rest.
 */
export function beginFacts(runtime: Runtime, handle: OutboxHandle): void {
  beginIfDue(runtime, lookOf(runtime, handle.name), handle);
}

/** Returns the time between two reads, ms. */
function beginIfDue(runtime: Runtime, look: Look, handle: OutboxHandle): number {
  const restMs = factsRestMs({ tookMs: look.tookMs, urgent: look.urgent || isLocked(look) });
  if (!look.running && performance.now() >= look.endedAtMs + restMs) look.running = begin(runtime, look, handle);
  return restMs;
}

/** A lock may end at any moment; until the facts are read again it would still be reported next to good figures. */
function isLocked({ latest }: Look): boolean {
  return (latest?.gathered.facts.lockHolders ?? []).some(isHarmful);
}

function lookOf(runtime: Runtime, outbox: string): Look {
  const board = boardOf(runtime);
  let look = board.get(outbox);
  if (!look) {
    look = { latest: null, endedAtMs: Number.NEGATIVE_INFINITY, tookMs: 0, running: null, urgent: false };
    board.set(outbox, look);
  }
  return look;
}

const turns = new StoreTurns(LOOKS_AT_ONCE);

async function begin(runtime: Runtime, look: Look, handle: OutboxHandle): Promise<void> {
  const settings = settingsOf(handle);
  try {
    const limits = {
      ...settings,
      overdueSeconds: settings.warnSeconds,
      relay: relayOf(handle),
      connectorSlot: connectorSlotOf(runtime, handle),
      configuredSlots: configuredSlots(runtime, handle),
      connector: settings.connector !== null,
    };
    const read = await turns.run(handle.store, () => outboxOf(handle).watch.facts(limits));
    look.latest = keepUnread(withLockedRows(read, look.latest?.gathered ?? null), look.latest, performance.now());
  } catch (error) {
    // The figures come from the same database and report that it does not answer.
    look.latest &&= keepAll(look.latest, error, performance.now());
  } finally {
    look.tookMs = look.latest?.gathered.tookMs ?? 0;
    look.endedAtMs = performance.now();
    look.running = null;
  }
}

function configuredSlots(runtime: Runtime, { name }: OutboxHandle) {
  const slots = Object.entries(runtime.config.outboxes).flatMap(([outbox, { relay }]) =>
    relay?.source === "cdc" ? [{ outbox, slot: cdcNames(outbox, relay.cdc).reader }] : [],
  );
  return {
    own: slots.find(({ outbox }) => outbox === name)?.slot ?? null,
    ofOthers: slots.filter(({ outbox }) => outbox !== name).map(({ slot }) => slot),
  };
}

function withLockedRows(read: GatheredFacts, before: GatheredFacts | null): GatheredFacts {
  const { lockHolders } = read.facts;
  if (!lockHolders) return read;
  const kept = keepLockedRows(lockHolders, before?.facts.lockHolders ?? []);
  return { ...read, facts: { ...read.facts, lockHolders: kept } };
}

/** How the relay claims; its index is judged by that. */
function relayOf({ config, mapping }: OutboxHandle): { lanes: boolean } | null {
  if (config.mode !== "relay") return null;
  return { lanes: orderingOf(mapping, config.relay?.ordering ?? "aggregate").kind !== "none" };
}
