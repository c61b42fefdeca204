import { expect, test } from "vitest";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { createMemorySink } from "../sinks/memory/memory-sink.ts";
import { publishInOrder } from "./publish-in-order.ts";

const message = (id: string, aggregateKey: string | null) => ({ id, aggregateKey }) as OutgoingMessage;
const MESSAGES = [
  message("a1", "a"),
  message("b1", "b"),
  message("a2", "a"),
  message("x1", null),
  message("a3", "a"),
  message("b2", "b"),
];
const refused = { kind: "failed", failure: { code: "rejected", kind: "message", message: "no" } } as const;

test.each([
  ["a sink that takes two at a time", { maxBatch: 2, keepsOrderInBatch: true }],
  ["a sink that takes all at once", { maxBatch: 100, keepsOrderInBatch: true }],
  ["a sink that keeps no order in a batch", { maxBatch: 100, keepsOrderInBatch: false }],
])("%s: nothing of an aggregate is sent after its first failure, and others go on", async (_, options) => {
  const sink = createMemorySink({
    ...options,
    answer: ({ id }) => (id === "a1" ? refused : { kind: "published" }),
  });
  const outcomes = await publishInOrder(sink, MESSAGES, new AbortController().signal);
  expect(outcomes.map(({ kind }) => kind)).toEqual([
    "failed",
    "published",
    "aborted",
    "published",
    "aborted",
    "published",
  ]);
  expect(sink.received.map(({ id }) => id).sort()).toEqual(["b1", "b2", "x1"]);
});
