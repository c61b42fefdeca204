import { onTestFinished, TestRunner } from "vitest";
import { type BrokerOptions, BrokerUnavailable, type OwnBroker } from "./broker.ts";
import type { BrokerKind } from "./broker-kinds.ts";
import { startBroker } from "./start-broker.ts";

/**
 * A broker private to this test, to be stopped, killed and restarted. Call it inside a test: it is removed when the
 * test ends, and where none is available the test is skipped with the reason. Allow time: RabbitMQ and Kafka take
 * several seconds per start.
 */
export async function ownBroker(kind: BrokerKind, options: BrokerOptions = {}): Promise<OwnBroker> {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error("ownBroker is for use inside a test; elsewhere use startBroker and remove.");
  try {
    const broker = await startBroker(kind, options);
    onTestFinished(() => broker.remove());
    return broker;
  } catch (error) {
    if (!(error instanceof BrokerUnavailable)) throw error;
    return test.context.skip(`no ${kind}: ${error.message}`);
  }
}
