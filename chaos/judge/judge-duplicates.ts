import type { Fault } from "../event-log.ts";
import type { Receipt } from "../world/recorders/recorder.ts";
import { type Evidence, type Finding, violation } from "./evidence.ts";

/** How long before a fault a message may have arrived whose outcome was not yet written, and how long one may take. */
const SETTLE_MS = 1500;
/** A message that was already counted as received can have been recorded a little after it was sent. */
const SLACK_MS = 300;
/** After an outage of the database, outcomes are tried again with pauses of up to two seconds. */
const RECOVERY_MS = 4000;

/** Faults that can make a relay forget, or that it announces itself, or fail to write, that a message was received. */
const FORGETTING =
  /^(relay-kill|relay-freeze|pg-(?!line-slow)|backends-|sink-line-(?!slow)|sink-stop|sink-kill|machine-|lease-ran-out)/;
/** Faults that keep outcomes from being written for as long as they last. */
const HINDERING = /^(relay-freeze|pg-(?!line-slow)|backends-|foreign-locks|machine-)/;
/** A message under way may arrive when such a fault ends. */
const DELIVERING_LATE = /^(sink-|relay-freeze|machine-)/;

/**
 * Each time that a message arrived and arrived again, something must have kept its outcome from being written: the sink
 * knows that its confirmation went lost, or a fault that can do so touched the time in which the message was in flight.
 * A graceful stop, a join, an operator, a slow line or a foreign transaction explain nothing.
 */
export function judgeDuplicates({ receipts, faults, touched }: Evidence): Finding {
  const causes = new Map<string, number>();
  const unexplained: string[] = [];
  for (const list of byMessage(receipts)) {
    for (let index = 0; index + 1 < list.length; index += 1) {
      const [first, second] = [list[index] as Receipt, list[index + 1] as Receipt];
      const cause = explain(first, second, faults);
      if (cause !== null) causes.set(cause, (causes.get(cause) ?? 0) + 1);
      else unexplained.push(describe(first, second, touched.has(first.id)));
    }
  }
  const total = [...causes.values()].reduce((sum, count) => sum + count, 0) + unexplained.length;
  const sorted = [...causes].sort(([, left], [, right]) => right - left);
  return {
    violations: violation("received twice without a cause", unexplained),
    seen: {
      duplicates: total,
      ...Object.fromEntries(sorted.map(([cause, count]) => [`duplicates: ${cause}`, count])),
      "duplicates: unexplained": unexplained.length,
    },
  };
}

/** The share of a time in which a duplicate would find its explanation in a fault: the lower, the more the check says. */
export function explainableShare(faults: readonly Fault[], slots: number, untilMs: number): number {
  let [explained, all] = [0, 0];
  for (let slot = 0; slot < slots; slot += 1) {
    const concerned = faults.filter((fault) => concerns(fault, slot));
    for (let atMs = 0; atMs < untilMs; atMs += 100) {
      all += 1;
      if (explainByTime(atMs, concerned) !== null) explained += 1;
    }
  }
  return all === 0 ? 0 : explained / all;
}

function explain(first: Receipt, second: Receipt, faults: readonly Fault[]): string | null {
  if (first.unconfirmed) return "unconfirmed";
  const concerned = faults.filter((fault) => concerns(fault, first.slot));
  if (first.atMs === null || second.atMs === null) return concerned.length > 0 ? "time unknown" : null;
  const late = faults.filter((fault) => concerns(fault, second.slot));
  return explainByTime(first.atMs, concerned) ?? explainLateArrival(second.atMs, late);
}

function explainByTime(atMs: number, faults: readonly Fault[]): string | null {
  const fromMs = atMs - SLACK_MS;
  let toMs = atMs + SETTLE_MS;
  // Each fault that keeps outcomes from being written prolongs the time in which the next one can do harm.
  for (let grown = true; grown; ) {
    grown = false;
    for (const fault of faults) {
      if (!HINDERING.test(fault.kind) || !touches(fault, fromMs, toMs)) continue;
      const end = fault.toMs + RECOVERY_MS;
      if (end > toMs) [toMs, grown] = [end, true];
    }
  }
  const nearest = faults
    .filter((fault) => FORGETTING.test(fault.kind) && touches(fault, fromMs, toMs))
    .sort((left, right) => Math.abs(left.fromMs - atMs) - Math.abs(right.fromMs - atMs));
  return nearest[0]?.kind ?? null;
}

function explainLateArrival(atMs: number, faults: readonly Fault[]): string | null {
  const late = faults.find(
    ({ kind, fromMs, toMs }) => DELIVERING_LATE.test(kind) && fromMs < atMs && atMs < toMs + SLACK_MS,
  );
  return late ? `late after ${late.kind}` : null;
}

/** What was done to one relay says nothing about what another one sent. */
function concerns(fault: Fault, slot: number | null): boolean {
  return fault.slot === null || slot === null || fault.slot === slot;
}

/** A fault that ended lately may still be felt. */
function touches(fault: Fault, fromMs: number, toMs: number): boolean {
  const felt = HINDERING.test(fault.kind) ? RECOVERY_MS : SLACK_MS;
  return fault.fromMs <= toMs && fault.toMs + felt >= fromMs;
}

function byMessage(receipts: readonly Receipt[]): Receipt[][] {
  const lists = new Map<string, Receipt[]>();
  for (const receipt of receipts) {
    const list = lists.get(receipt.id);
    if (list) list.push(receipt);
    else lists.set(receipt.id, [receipt]);
  }
  return [...lists.values()];
}

function describe(first: Receipt, second: Receipt, touched: boolean): string {
  const seconds = ({ atMs }: Receipt) => `${((atMs ?? 0) / 1000).toFixed(3)} s`;
  return `${first.id} (${first.aggregate} ${first.n}) at ${seconds(first)} and ${seconds(second)}${touched ? ", after an operator's action" : ""}`;
}
