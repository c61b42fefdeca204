import { pino } from "pino";
import { expect, test } from "vitest";
import { makeMessage } from "../testing/make-message.fixture.ts";
import { createMemorySink } from "./memory/memory-sink.ts";
import { observedSink, type SentRequest } from "./observed-sink.ts";

const LOG = pino({ level: "silent" });
const signal = new AbortController().signal;

test("an observer is shown each request with its outcomes, in the order of its messages", async () => {
  const seen: SentRequest[] = [];
  const sink = observedSink(createMemorySink(), (request) => seen.push(request), LOG);
  const messages = [makeMessage(1), makeMessage(2)];
  const outcomes = await sink.publish(messages, signal);
  expect(seen).toMatchObject([{ messages, outcomes }]);
  expect(seen[0]!.endMs).toBeGreaterThanOrEqual(seen[0]!.startMs);
});

test("an observer that throws changes no outcome", async () => {
  const broken = () => {
    throw new Error("no more memory");
  };
  const sink = observedSink(createMemorySink(), broken, LOG);
  expect(await sink.publish([makeMessage(1)], signal)).toEqual([{ kind: "published" }]);
});
