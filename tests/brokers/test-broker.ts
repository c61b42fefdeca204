import { afterAll, beforeAll, beforeEach, inject } from "vitest";
import type { Broker } from "./broker.ts";
import type { BrokerKind } from "./broker-kinds.ts";
import type { BrokerAnswer } from "./broker-setup.ts";

/** Kafka may have to be downloaded first. */
export const BROKER_START_TIMEOUT_MS = 240_000;

/**
 * The broker of that kind shared by all tests of the run, for the tests of a file or a `describe`. Where none is
 * available, they are skipped with the reason. It is never stopped, and other tests use it at the same time: choose
 * unique names (`uniqueName`), and use an `ownBroker` to break one.
 *
 *     const redis = testBroker("redis");
 *     test("...", async () => { const client = new Redis(redis().url); ... });
 *
 * `prepare` runs once before the tests if there is a broker, and may return a clean-up.
 */
export function testBroker(
  kind: BrokerKind,
  prepare?: (broker: Broker) => Promise<(() => Promise<void>) | undefined>,
): () => Broker {
  let answer: BrokerAnswer | null = null;
  let cleanUp: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const response = await fetch(`${inject("brokerDeskUrl")}/${kind}`);
    answer = (await response.json()) as BrokerAnswer;
    if ("failure" in answer) throw new Error(answer.failure);
    if ("broker" in answer) cleanUp = await prepare?.(answer.broker);
  }, BROKER_START_TIMEOUT_MS);
  beforeEach(({ skip }) => {
    if (answer !== null && "unavailable" in answer) skip(answer.unavailable);
  });
  afterAll(() => cleanUp?.());
  return () => {
    if (answer !== null && "broker" in answer) return answer.broker;
    throw new Error(
      `The broker ${kind} is there only inside tests; to prepare it beforehand give testBroker a function.`,
    );
  };
}
