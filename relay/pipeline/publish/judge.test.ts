import { pino } from "pino";
import { expect, test } from "vitest";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";
import { ABORTED, PUBLISHED, type PublishOutcome } from "#relay/sinks/sink.ts";
import { makeMessage } from "#relay/testing/make-message.fixture.ts";
import { Lanes } from "../state/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { RelayMemory } from "../state/relay-memory.ts";
import { RelayStats } from "../state/relay-stats.ts";
import { Retries } from "../state/retries.ts";
import { Withheld } from "../state/withheld.ts";
import { Judge } from "./judge.ts";

const compareOrder = (left: OrderKey, right: OrderKey) => Number(left[0]) - Number(right[0]);
const DOWN: Failure = { code: "unavailable", kind: "environment", message: "HTTP 503" };
const FAILED: PublishOutcome = { kind: "failed", failure: DOWN };

test.each([
  ["aborted", ABORTED],
  ["failed", FAILED],
  ["published", PUBLISHED],
] as const)("what comes late to a term that is over, %s, does not end the probe of the next term", (_, outcome) => {
  const memory = new RelayMemory(compareOrder);
  const lanes = new Lanes(compareOrder);
  const context = {
    ...{ table: { compareOrder }, log: pino({ level: "silent" }), stats: new RelayStats() },
    settings: { onFailure: "block" },
  } as unknown as PipelineContext;
  const state = {
    ...{ lanes, withheld: new Withheld(compareOrder, () => null), retries: new Retries(), breaker: memory.breaker },
    ...{ routes: memory.routes, late: memory.late, falls: memory.falls },
  };
  const nothing = () => undefined;
  const keeper = () => ({ begin: nothing, end: nothing, giveBack: nothing });
  const judge = new Judge(context, state, { decide: nothing, takeBack: nothing, works: nothing, keeper });
  const held = lanes.add(makeMessage(1), "token", false);
  lanes.takeAlone(held);
  memory.breaker.open(DOWN, 0);
  judge.stop();
  // The next term probes with another message, while a call of this one is still with the sink.
  memory.breaker.beginProbe("order/b");
  lanes.finish(held);
  judge.judge(held, outcome, { startedAt: new Date(0), startedMs: 0, durationMs: 1 });
  expect([memory.breaker.holds, memory.breaker.probing]).toEqual([true, true]);
});
