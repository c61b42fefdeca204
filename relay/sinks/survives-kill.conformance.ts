import { expect } from "vitest";
import type { OwnBroker } from "#tests/brokers/broker.ts";
import { waitFor } from "#tests/wait-for.ts";
import { makeMessage } from "../testing/make-message.fixture.ts";
import type { Sink } from "./sink.ts";

/**
 * Publishes through a SIGKILL of the broker and its return: what was confirmed is there, what was not is told as the
 * environment's fault once the broker is gone, and the sink works again by itself.
 */
export async function expectToSurviveKill(input: {
  sink: Sink;
  broker: OwnBroker;
  /** Ids of all messages that the broker has, asked after its return. */
  arrivedIds: () => Promise<ReadonlySet<string | undefined>>;
}): Promise<void> {
  const { sink, broker } = input;
  const never = new AbortController().signal;
  const confirmed = new Set<string>();
  const kinds = new Set<string>();
  let count = 0;
  const publishSome = async () => {
    const messages = Array.from({ length: 50 }, () => makeMessage(count++, { aggregateId: `a${count % 10}` }));
    for (const [index, outcome] of (await sink.publish(messages, never)).entries()) {
      if (outcome.kind === "published") confirmed.add(messages[index]?.eventId ?? "");
      kinds.add(outcome.kind === "failed" ? `${outcome.failure.kind} ${outcome.failure.code}` : outcome.kind);
    }
  };
  await publishSome();
  let down = false;
  const killing = broker.kill().then(() => {
    down = true;
  });
  while (!down) await publishSome();
  await killing;
  await publishSome();
  expect(kinds).toContain("environment unreachable");
  expect([...kinds].filter((kind) => kind.startsWith("message"))).toEqual([]);
  await broker.start();
  const before = confirmed.size;
  await waitFor(
    async () => {
      kinds.clear();
      await publishSome();
      if (confirmed.size >= before + 50) return true;
      throw new Error(`The last outcomes were: ${[...kinds].join(", ")}.`);
    },
    { timeoutMs: 30_000, message: "it publishes again" },
  );
  const arrived = await input.arrivedIds();
  expect([...confirmed].filter((id) => !arrived.has(id))).toEqual([]);
}
