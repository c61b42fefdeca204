import { expect, onTestFinished, test } from "vitest";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { waitFor } from "#tests/wait-for.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { openSide, openSink } from "./nats-side.fixture.ts";

const broker = testBroker("nats");
const never = new AbortController().signal;
const BATCH = 50;
const DELETIONS = 5;
const MORE = 200;

test("a stream that is deleted and created again confirms nothing that it has not stored", async () => {
  // The server sends a copy of each message once it has stored it, so that what a deletion takes is known too.
  const side = await openSide(broker(), { republish: { src: ">", dest: "copy.>" } });
  onTestFinished(() => side.close());
  const stored = new Set<string | undefined>();
  side.connection.subscribe(`copy.${side.prefix}.>`, {
    callback: (_, { headers }) => void stored.add(headers?.get("Nats-Msg-Id")),
  });
  const { config } = await side.manager.streams.info(side.prefix);
  const sink = openSink(broker().url, side.prefix);
  const confirmed = new Set<string>();
  let sent = 0;
  let failed = 0;
  let stopped = false;
  onTestFinished(() => {
    stopped = true;
  });
  const publish = async () => {
    while (!stopped) {
      const messages = Array.from({ length: BATCH }, () => makeMessage(++sent, { aggregateId: `order-${sent % 97}` }));
      const outcomes = await sink.publish(messages, never);
      for (const [index, { kind }] of outcomes.entries()) {
        if (kind === "published") confirmed.add(messages[index]?.eventId ?? "");
        else failed += 1;
      }
    }
  };
  const publishing = [publish(), publish()];
  const more = (counted: () => number) => {
    const before = counted();
    return waitFor(() => counted() >= before + MORE, { message: `${MORE} more`, intervalMs: 5 });
  };
  for (let deleted = 0; deleted < DELETIONS; deleted += 1) {
    await more(() => confirmed.size);
    await side.manager.streams.delete(side.prefix);
    await more(() => failed);
    await side.manager.streams.add(config);
  }
  stopped = true;
  await Promise.all(publishing);
  await waitFor(() => [...confirmed].every((id) => stored.has(id)), { message: "each that was confirmed was stored" });
  expect(confirmed.size).toBeGreaterThanOrEqual(DELETIONS * MORE);
});
