import { expect, test } from "vitest";
import { applyAnswer } from "./apply-answer.ts";
import type { Cluster } from "./cluster.ts";
import { Identities } from "./identities.ts";
import { Lane } from "./lane.ts";
import type { PartitionAnswer } from "./produce.ts";
import { AggregateRun, type Entry, PublishCall } from "./publish-call.ts";
import { toRecord } from "./record-batch.ts";

const TO = { topic: "t", partition: 0 };
const NEW = { producerId: 2n, epoch: 0 };
const UNKNOWN_PRODUCER: PartitionAnswer = { errorCode: 59, detail: null, refused: [] };

function outcomeOf({ sentBefore }: { sentBefore: boolean }) {
  const lane = new Lane(TO, 1_000_000);
  const call = new PublishCall(1);
  const run = new AggregateRun(call, (entry: Entry) => lane.push(entry));
  run.add(0, toRecord({ topic: "t", key: "k", headers: [], body: "x", contentType: "text/plain" }), TO);
  run.advance();
  const chunk = lane.take({ producerId: 1n, epoch: 0 });
  if (!chunk) throw new Error("there is work");
  if (sentBefore) lane.kept = chunk;
  const identities = new Identities({ newIdentity: async () => NEW } as unknown as Cluster);
  applyAnswer({ lane, chunk }, UNKNOWN_PRODUCER, identities);
  return { waits: lane.take(NEW)?.entries.length ?? 0, outcome: call.outcomes[0]?.kind };
}

test("a batch that the broker does not know the producer of is sent again with a new identity", () => {
  expect(outcomeOf({ sentBefore: false })).toEqual({ waits: 1, outcome: undefined });
});

test("it is given up if it was sent before without an answer: it may have been written", () => {
  expect(outcomeOf({ sentBefore: true })).toEqual({ waits: 0, outcome: "failed" });
});
