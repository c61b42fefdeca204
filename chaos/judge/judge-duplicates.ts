import type { Fault } from "../event-log.ts";
import type { Receipt } from "../world/recorders/recorder.ts";
import { type Evidence, type Finding, violation } from "./evidence.ts";

/** Longest time from a receipt until its outcome is written, ms. A fault within it can cause a duplicate. */
const SETTLE_MS = 1500;
/** Most ms between sending a message and recording its receipt. */
const SLACK_MS = 300;
/** After a database outage, outcomes are retried with pauses of up to 2 s. */
const RECOVERY_MS = 4000;

/** Faults that can make a relay forget a confirmation, fail to write it, or report that it aborted messages. */
const FORGETTING =
  /^(relay-kill|relay-freeze|db-(?!line-slow)|sessions-|sink-line-(?!slow)|sink-stop|sink-kill|machine-|lease-ran-out)/;
/** Faults that prevent outcomes from being written while they last. */
const HINDERING = /^(relay-freeze|db-(?!line-slow)|sessions-|foreign-locks|machine-)/;
/** Faults whose end may deliver messages that were in flight. */
const DELIVERING_LATE = /^(sink-|relay-freeze|machine-)/;

/**
 * Every repeated receipt needs a cause that kept the first outcome from being written: the sink knows that its
 * confirmation was lost, or a capable fault overlapped the time in which the message was in flight. A graceful stop, a
 * join, an operator, a slow connection and another session's transaction explain nothing.
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

/** Share of the run in which a fault would explain a duplicate; the lower, the stricter the check. */
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
  // Each fault that delays outcomes extends the window in which the next fault can cause a duplicate.
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

/** A fault of one relay explains nothing about another relay's sends. */
function concerns(fault: Fault, slot: number | null): boolean {
  return fault.slot === null || slot === null || fault.slot === slot;
}

/** A fault's effects may last a while after its end. */
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
