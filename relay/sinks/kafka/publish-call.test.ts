import { expect, test } from "vitest";
import { ABORTED, PUBLISHED, type PublishOutcome } from "../sink.ts";
import { AggregateRun, type Entry, PublishCall } from "./publish-call.ts";
import { toRecord } from "./record-batch.ts";

const record = toRecord({ topic: "t", key: "k", headers: [], body: "{}", contentType: "application/json" });
const FAILED: PublishOutcome = {
  kind: "failed",
  failure: { code: "rejected", kind: "message", message: "no" },
};

/** A run of messages for these partitions of one topic; null: a message that cannot be sent. */
function start(partitions: (number | null)[]) {
  const sent: Entry[] = [];
  const call = new PublishCall(partitions.length);
  const run = new AggregateRun(call, (entry) => sent.push(entry));
  for (const [index, partition] of partitions.entries()) {
    if (partition === null) run.addOutcome(index, FAILED);
    else run.add(index, record, { topic: "t", partition });
  }
  run.advance();
  return { call, run, sent };
}

test("messages for one partition go together; those for another partition wait for their confirmation", async () => {
  const { call, sent } = start([1, 1, 2]);
  expect(sent).toHaveLength(2);
  sent[0]?.settle(PUBLISHED);
  expect(sent).toHaveLength(2);
  sent[1]?.settle(PUBLISHED);
  expect(sent).toHaveLength(3);
  sent[2]?.settle(PUBLISHED);
  expect(await call.done).toEqual([PUBLISHED, PUBLISHED, PUBLISHED]);
});

test("after a failure the rest is withheld: unsent messages at once, sent ones by their lane", async () => {
  const { call, run, sent } = start([1, 1, 2, 1]);
  sent[0]?.settle(FAILED);
  expect(run.stopped).toBe(true);
  expect(sent[1]?.withheld).toBe(true);
  sent[1]?.settle(ABORTED);
  expect(await call.done).toEqual([FAILED, ABORTED, ABORTED, ABORTED]);
});

test("a message that cannot be sent fails only after those before it are settled", async () => {
  const { call, sent } = start([1, null, 1]);
  expect(call.outcomes).toEqual([undefined, undefined, undefined]);
  sent[0]?.settle(PUBLISHED);
  expect(await call.done).toEqual([PUBLISHED, FAILED, ABORTED]);
  const behind = start([1, null]);
  behind.sent[0]?.settle(FAILED);
  expect(await behind.call.done).toEqual([FAILED, ABORTED]);
});

test("an aborted call keeps its outcomes so far", async () => {
  const { call, sent } = start([1, 1]);
  sent[0]?.settle(PUBLISHED);
  call.settleAll(ABORTED);
  expect(sent[1]?.settled).toBe(true);
  sent[1]?.settle(PUBLISHED);
  expect(await call.done).toEqual([PUBLISHED, ABORTED]);
});

test("an empty call resolves at once", async () => {
  expect(await new PublishCall(0).done).toEqual([]);
});
