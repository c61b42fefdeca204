import { expect, test } from "vitest";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { makeMessage } from "#relay/testing/make-message.fixture.ts";
import { Breaker } from "../state/breaker.ts";
import { type ClaimedMessage, Lanes } from "../state/lanes/lanes.ts";
import { LateCommits } from "../state/late-commits.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { Retries } from "../state/retries.ts";
import { WentBack } from "../state/went-back.ts";
import { Withheld } from "../state/withheld.ts";
import { Intake, type IntakeParts } from "./intake.ts";

function openIntake() {
  const state = {
    lanes: new Lanes(compareOrder),
    withheld: new Withheld(compareOrder, () => null),
    wentBack: new WentBack(compareOrder),
    retries: new Retries(),
    breaker: new Breaker(),
    late: new LateCommits(compareOrder),
  };
  const returned: ClaimedMessage[] = [];
  const parts = {
    outcomes: { giveBack: (messages: ClaimedMessage[]) => returned.push(...messages) },
    publisher: { pump: () => undefined },
    quarantine: { has: () => false },
    keeper: { stops: () => false },
    routeKeeper: { stops: () => false },
  } as unknown as IntakeParts;
  const intake = new Intake({ table: { compareOrder } } as unknown as PipelineContext, state, parts, () => false);
  const retry = (n: number) => makeMessage(n, { aggregateId: "order-1" });
  const knows = (n: number) => {
    const { id, aggregateKey, eventType, order } = retry(n);
    state.retries.add(id, { aggregateKey, eventType, order, dueAtMs: 0 });
  };
  const claims = (...numbers: number[]) => {
    intake.accept({ token: "claim", messages: numbers.map(retry) }, "retry");
    return returned.splice(0).map(({ message }) => message.id);
  };
  return { knows, claims, idOf: (n: number) => retry(n).id };
}

test("the first message of its aggregate that waits is taken in", () => {
  const { knows, claims } = openIntake();
  for (const n of [3, 4, 11]) knows(n);
  expect(claims(3)).toEqual([]);
});

test("a retry goes back when an earlier message of its aggregate waits", () => {
  const { knows, claims, idOf } = openIntake();
  knows(3);
  expect(claims(11)).toEqual([idOf(11)]);
});

test("also when the list of retries was read again while it was being claimed, so that it is known", () => {
  const { knows, claims, idOf } = openIntake();
  for (const n of [3, 4, 11]) knows(n);
  expect(claims(11)).toEqual([idOf(11)]);
});
