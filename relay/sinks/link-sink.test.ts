import { expect, test } from "vitest";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { makeMessage } from "../testing/make-message.fixture.ts";
import { createLinkSink } from "./link-sink.ts";
import { PUBLISHED } from "./sink.ts";

/** A sink whose connection opens when the test says so, and refuses payloads that begin with "bad". */
function start() {
  const sent: string[] = [];
  const opening = Promise.withResolvers<void>();
  const link = { usable: true, idle: true, close: async () => undefined };
  const sink = createLinkSink({
    ...{ kind: "test", address: "nowhere", maxBatch: 10 },
    open: () => opening.promise.then(() => link),
    prepare: ({ payload }: OutgoingMessage) => {
      if (payload?.startsWith("bad")) throw new URIError("no encoding");
      return async () => {
        sent.push(payload ?? "");
        return PUBLISHED;
      };
    },
    whyNotReady: () => null,
    missingTopic: async () => null,
    failureOfOpen: () => ({ code: "unreachable", kind: "environment", message: "no connection" }),
  });
  return { sink, sent, open: () => opening.resolve() };
}

const message = (payload: string, aggregateId: string) => makeMessage(1, { payload, aggregateId });

test("a call that ended while the connection opened sends nothing any more", async () => {
  const { sink, sent, open } = start();
  const ending = new AbortController();
  const publishing = sink.publish([message("a", "a"), message("b", "b")], ending.signal);
  ending.abort();
  expect(await publishing).toEqual([{ kind: "aborted" }, { kind: "aborted" }]);
  open();
  expect(await sink.publish([message("c", "c")], new AbortController().signal)).toEqual([PUBLISHED]);
  expect(sent).toEqual(["c"]);
});

test("a message that cannot be encoded fails alone, at the head of its aggregate and behind another", async () => {
  const { sink, sent, open } = start();
  open();
  const messages = [message("bad", "a"), message("b", "b"), message("bad", "b"), message("c", "c")];
  const failed = { kind: "failed", failure: { code: "serialisation", kind: "message" } };
  const outcomes = await sink.publish(messages, new AbortController().signal);
  expect(outcomes).toMatchObject([failed, PUBLISHED, failed, PUBLISHED]);
  expect(sent).toEqual(["b", "c"]);
});
