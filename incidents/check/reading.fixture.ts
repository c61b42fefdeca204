import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import type { Cause, Verdict } from "#contracts/watch/diagnosis.ts";
import type { Answer } from "../world/console-client.ts";
import type { Reading } from "./reading.ts";

const AS_OF = "2026-11-22T06:04:10.000001Z";

export const CAUSE: Cause = {
  id: "a1",
  rule: "sink_unavailable",
  word: "not_delivering",
  severity: "fail",
  sentence: "the sink gateway cannot be reached (ECONNREFUSED) since 06:03:55 UTC; 125 wait",
  since: "2026-11-22T06:03:55.123456Z",
  messages: 125,
  messagesCapped: false,
  messagesEstimated: false,
};

export function verdictOf(causes: Cause[]): Verdict {
  const [first] = causes;
  return {
    word: first?.word ?? "delivering",
    status: first?.severity ?? "pass",
    title: first ? "Not delivering" : "Delivering",
    cause: first?.sentence ?? null,
    since: first?.since ?? null,
    evidence: "125 wait.",
    more: causes.length > 1 ? "and 1 more: something" : null,
    next: first ? { label: "See the cause", href: "/stuck?outbox=orders&finding=a1" } : null,
    causes,
  };
}

const exactly = (value: number) => ({ value, precision: "exact" as const });

/** All surfaces of one outbox in agreement; each test plants one contradiction. */
export function agreeingReading(causes: Cause[] = [CAUSE]): Reading {
  const verdict = verdictOf(causes);
  const answered = <T>(body: unknown, code = 200): Answer<T> => ({
    code,
    body: body as T,
    error: null,
    contractBroken: false,
    tookMs: 3,
  });
  const counts = { pending: exactly(125), failed: exactly(0), in_flight: exactly(0) };
  const snapshot: Partial<Snapshot> = {
    asOf: AS_OF,
    counts: counts as Snapshot["counts"],
    scheduled: exactly(0),
    oldestPending: { ageSeconds: 15, id: "1" },
    oldestPendingKnown: true,
    rowsTell: true,
    relays: null,
    monitor: null,
    verdict,
  };
  const output = verdict.cause === null ? "Every check passes." : `orders: ${verdict.title}: ${verdict.cause}`;
  const check = { componentType: "component", status: verdict.status, time: AS_OF };
  const health = { status: verdict.status, output, checks: { "orders:oldestPending": [check] } };
  const code = verdict.status === "fail" ? 503 : 200;
  return {
    outbox: "orders",
    atMs: 0,
    snapshot: answered(snapshot),
    findings: answered({
      findings: causes.map((cause) => ({ ...cause })),
      verdict,
      checked: [],
      unchecked: [],
      asOf: AS_OF,
    }),
    list: answered({
      outboxes: [{ name: "orders", figures: { asOf: AS_OF }, verdict }],
      fleet: {
        word: verdict.word,
        status: verdict.status,
        title: verdict.cause === null ? "Delivering" : "1 of 1 not delivering",
        counts: { [verdict.word]: 1 },
      },
    }),
    health: answered(health, code),
    wholeHealth: answered(health, code),
  };
}
