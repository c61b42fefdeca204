import { pino } from "pino";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { MessageOutcome, Refund } from "#db/stores/port/relay/settle.ts";
import type { Failure } from "#domain/failure.ts";
import type { PublishOutcome } from "#relay/sinks/sink.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { makeMessage } from "#relay/testing/make-message.fixture.ts";
import { type ClaimedMessage, Lanes } from "../state/lanes/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { RelayMemory } from "../state/relay-memory.ts";
import { RelayStats } from "../state/relay-stats.ts";
import { Retries } from "../state/retries.ts";
import type { Route } from "../state/routes.ts";
import { Withheld } from "../state/withheld.ts";
import { OutcomeHandler } from "./outcome-handler.ts";

export const DOWN: Failure = { code: "unavailable", kind: "environment", message: "HTTP 503" };
export const FAILED: PublishOutcome = { kind: "failed", failure: DOWN };

export const BROKEN: PublishOutcome = {
  kind: "failed",
  failure: { code: "server_error", kind: "ambiguous", message: "HTTP 500" },
};

export const NO_LEADER: PublishOutcome = {
  kind: "failed",
  failure: { code: "unavailable", kind: "route", message: "LEADER_NOT_AVAILABLE for partition 1 of the topic orders" },
};

/** A handler of one term, without a store: what it decides is settled at once. */
export function openHandler() {
  const memory = new RelayMemory(compareOrder);
  const lanes = new Lanes(compareOrder);
  const context = {
    ...{ table: { compareOrder, maxAttempts: 10 }, log: pino({ level: "silent" }), stats: new RelayStats() },
    settings: { onFailure: "block", retry: { initialMs: 1000, maxMs: 1000 } },
  } as unknown as PipelineContext;
  const state = {
    ...{ lanes, withheld: new Withheld(compareOrder, () => null), retries: new Retries(), breaker: memory.breaker },
    ...{ routes: memory.routes, late: memory.late, sinkFailures: memory.sinkFailures },
  };
  const nothing = () => undefined;
  const keeper = () => ({ begin: (route: Route) => void blamed.push(route.name), end: nothing, giveBack: nothing });
  /** Routes that were blamed. */
  const blamed: string[] = [];
  const takenBack: Refund[] = [];
  /** Decisions by message: its number, and the outcome in a word. */
  const decided: string[] = [];
  const decide = (claimed: ClaimedMessage, outcome: MessageOutcome) => {
    const spared = outcome.kind === "failed" && outcome.spares ? ", spared" : "";
    decided.push(`${Number(claimed.message.id.slice(-12))} ${outcome.kind}${spared}`);
    lanes.release(claimed);
  };
  const outcomes = new OutcomeHandler(context, state, {
    ...{ decide, works: nothing, keeper },
    refundAttempts: (tries) => takenBack.push(...tries),
  });
  /** Tries the message, which begins and ends at `atMs`. */
  const tries = (
    n: number,
    outcome: PublishOutcome,
    atMs: number,
    fields: Partial<OutgoingMessage> = {},
    retried = false,
  ) => {
    const claimed = lanes.add(makeMessage(n, { aggregateId: `a${n}`, ...fields }), `token ${n} ${atMs}`, retried);
    lanes.takeAlone(claimed);
    lanes.finish(claimed);
    outcomes.handle(claimed, outcome, { startedAt: new Date(atMs), startedMs: atMs, durationMs: 0 });
  };
  return { ...state, outcomes, memory, stats: context.stats, takenBack, decided, blamed, tries };
}
