import { describe, expect, test } from "vitest";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { makeMessage } from "../testing/make-message.fixture.ts";
import { publishInLanes } from "./publish-in-lanes.ts";
import { ABORTED, PUBLISHED, type PublishOutcome } from "./sink.ts";

const REFUSED: PublishOutcome = {
  kind: "failed",
  failure: { code: "rejected", kind: "message", message: "refused" },
};

/** Sends that wait until the test answers them, by the message's index. */
function byHand() {
  const waiting = new Map<string, (outcome: PublishOutcome) => void>();
  const sent: string[] = [];
  return {
    sent,
    send: ({ payload }: OutgoingMessage) =>
      new Promise<PublishOutcome>((resolve) => {
        sent.push(payload ?? "");
        waiting.set(payload ?? "", resolve);
      }),
    async answer(payload: string, outcome: PublishOutcome = PUBLISHED) {
      waiting.get(payload)?.(outcome);
      await new Promise(setImmediate);
    },
  };
}

const message = (payload: string, aggregateId: string | null) => makeMessage(1, { payload, aggregateId });
const never = new AbortController().signal;

describe("publishing in lanes", () => {
  test("one message per aggregate is in flight, and aggregates do not wait for each other", async () => {
    const { sent, send, answer } = byHand();
    const messages = [
      message("a1", "a"),
      message("a2", "a"),
      message("b1", "b"),
      message("a3", "a"),
      message("b2", "b"),
    ];
    const publishing = publishInLanes({ messages, signals: [never], send });
    expect(sent).toEqual(["a1", "b1"]);
    await answer("a1");
    await answer("a2");
    expect(sent).toEqual(["a1", "b1", "a2", "a3"]);
    await answer("b1");
    await answer("b2");
    await answer("a3");
    expect(await publishing).toEqual(messages.map(() => PUBLISHED));
  });

  test("after a failure nothing later of the aggregate is sent", async () => {
    const { sent, send, answer } = byHand();
    const messages = [message("a1", "a"), message("a2", "a"), message("b1", "b"), message("a3", "a")];
    const publishing = publishInLanes({ messages, signals: [never], send });
    await answer("a1", REFUSED);
    await answer("b1");
    expect(await publishing).toEqual([REFUSED, ABORTED, PUBLISHED, ABORTED]);
    expect(sent).toEqual(["a1", "b1"]);
  });

  test("messages without an aggregate all go at once", async () => {
    const { sent, send, answer } = byHand();
    const messages = [message("x", null), message("y", null)];
    const publishing = publishInLanes({ messages, signals: [never], send });
    expect(sent).toEqual(["x", "y"]);
    await answer("y");
    await answer("x", REFUSED);
    expect(await publishing).toEqual([REFUSED, PUBLISHED]);
  });

  test("an abort ends the call at once, and keeps the outcomes so far", async () => {
    const { sent, send, answer } = byHand();
    const messages = [message("a1", "a"), message("a2", "a"), message("b1", "b")];
    const [calls, sink] = [new AbortController(), new AbortController()];
    const publishing = publishInLanes({ messages, signals: [calls.signal, sink.signal], send });
    await answer("b1");
    sink.abort();
    expect(await publishing).toEqual([ABORTED, ABORTED, PUBLISHED]);
    await answer("a1");
    expect(sent).toEqual(["a1", "b1"]);
  });

  test("an empty call and one aborted beforehand send nothing", async () => {
    const { sent, send } = byHand();
    expect(await publishInLanes({ messages: [], signals: [never], send })).toEqual([]);
    const signals = [AbortSignal.abort()];
    expect(await publishInLanes({ messages: [message("a1", "a")], signals, send })).toEqual([ABORTED]);
    expect(sent).toEqual([]);
  });
});
