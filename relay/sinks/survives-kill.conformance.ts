import { expect } from "vitest";
import type { OwnBroker } from "#tests/brokers/broker.ts";
import { waitFor } from "#tests/wait-for.ts";
import { makeMessage } from "../testing/make-message.fixture.ts";
import type { Sink } from "./sink.ts";

/**
 * Publishes while the broker is killed (SIGKILL) and restarted: confirmed messages are there, unconfirmed ones fail
 * with an environment failure once the broker is gone, and the sink recovers without help.
 */
export async function expectToSurviveKill(input: {
  sink: Sink;
  broker: OwnBroker;
  /** Ids of all messages in the broker, read after its restart. */
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
