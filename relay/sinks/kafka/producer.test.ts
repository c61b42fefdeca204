import { expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import type { PublishOutcome } from "../sink.ts";
import type { Cluster } from "./cluster.ts";
import { Producer } from "./producer.ts";
import { AggregateRun, PublishCall } from "./publish-call.ts";
import { toRecord } from "./record-batch.ts";
import type { Topics } from "./topics.ts";

const TO = { topic: "t", partition: 0 };
const [WRITTEN, NOT_LEADER, UNKNOWN_TOPIC, TIMED_OUT] = [0, 6, 3, 7];

/** A batch as the broker got it: who sent it, its first sequence, and its number of records. */
interface Batch {
  producerId: bigint;
  sequence: number;
  records: number;
}

/** A producer over a broker that gives these answers, one after another, and the last from then on. */
function start({ answers, timeoutMs = 60_000 }: { answers: readonly number[]; timeoutMs?: number }) {
  const batches: Batch[] = [];
  let identities = 0n;
  let gone = false;
  let alive = true;
  const connection = {
    isConnected: () => true,
    send: (_key: number, _version: number, write: () => { buffer: Buffer }, ...rest: unknown[]) => {
      const reply = rest.at(-1) as (error: null, response: unknown) => void;
      batches.push(batchIn(write().buffer));
      const errorCode = answers[Math.min(batches.length, answers.length) - 1] ?? WRITTEN;
      const partitionResponses = [{ index: TO.partition, errorCode, errorMessage: null, recordErrors: [] }];
      setImmediate(reply, null, { responses: [{ name: TO.topic, partitionResponses }], throttleTimeMs: 0 });
    },
  };
  const cluster = {
    connectionTo: async () => connection,
    maxVersion: async () => 11,
    newIdentity: async () => ({ producerId: ++identities, epoch: 0 }),
  };
  const topics = {
    leaderOf: () => 1,
    get: () => ({ failure: gone ? { code: "unroutable", kind: "route", message: "gone" } : null }),
    refresh: async () => {
      if (!alive) throw new Error("no broker answers");
    },
  };
  const producer = new Producer(cluster as unknown as Cluster, topics as unknown as Topics, {
    ...{ timeoutMs, maxBatchBytes: 1_000_000, compression: "none" },
  });
  return {
    batches,
    deleteTopic: () => {
      gone = true;
    },
    stopBrokers: () => {
      alive = false;
    },
    /** A call of messages of one aggregate. */
    publish: (...bodies: string[]) => {
      const call = new PublishCall(bodies.length);
      const run = new AggregateRun(call, (entry) => producer.add(entry));
      for (const [index, body] of bodies.entries()) {
        run.add(index, toRecord({ topic: "t", key: "k", headers: [], body, contentType: "text/plain" }), TO);
      }
      run.advance();
      return call;
    },
  };
}

/** Offsets are those of a record batch of format 2, which begins where its length and its leader's epoch are. */
function batchIn(request: Buffer): Batch {
  const epoch = request.lastIndexOf(Buffer.from([0xff, 0xff, 0xff, 0xff, 2]));
  const start = epoch - 12;
  return {
    producerId: request.readBigInt64BE(start + 43),
    sequence: request.readInt32BE(start + 53),
    records: request.readInt32BE(start + 57),
  };
}

const kinds = (outcomes: readonly PublishOutcome[]) => outcomes.map(({ kind }) => kind);

test("a batch whose leader moved is sent again as it was, without those that came meanwhile", async () => {
  const { publish, batches } = start({ answers: [NOT_LEADER, WRITTEN] });
  const first = publish("a");
  await waitFor(() => batches.length === 1, { message: "the first batch arrives" });
  const second = publish("b");
  expect(kinds(await first.done)).toEqual(["published"]);
  expect(kinds(await second.done)).toEqual(["published"]);
  expect(batches).toEqual([
    { producerId: 1n, sequence: 0, records: 1 },
    { producerId: 1n, sequence: 0, records: 1 },
    { producerId: 1n, sequence: 1, records: 1 },
  ]);
});

test.each([
  ["the call is aborted meanwhile", () => undefined],
  ["its topic is gone", ({ deleteTopic }: ReturnType<typeof start>) => deleteTopic()],
  ["no broker answers", ({ stopBrokers }: ReturnType<typeof start>) => stopBrokers()],
])("a batch that may have been written never gives its number to another: %s", async (_case, spoil) => {
  const broker = start({ answers: [NOT_LEADER, WRITTEN] });
  spoil(broker);
  const first = broker.publish("a");
  await waitFor(() => broker.batches.length === 1, { message: "the first batch arrives" });
  first.settleAll({ kind: "aborted" });
  expect(kinds(await broker.publish("b").done)).toEqual([expect.stringMatching("published|failed")]);
  await broker.publish("c").done;
  const [sent, ...later] = broker.batches;
  expect(later.filter(({ producerId, sequence }) => producerId === sent?.producerId && sequence === 0)).toEqual([]);
});

test("a missing topic fails the messages at once, and as one of the topic", async () => {
  const broker = start({ answers: [UNKNOWN_TOPIC] });
  broker.deleteTopic();
  const [outcome] = await broker.publish("a").done;
  expect(outcome).toMatchObject({ kind: "failed", failure: { kind: "route", code: "unroutable" } });
});

test("of an aggregate's messages in a refused batch the first fails, and the others go back", async () => {
  const outcomes = await start({ answers: [TIMED_OUT] }).publish("a", "b", "c").done;
  expect(kinds(outcomes)).toEqual(["failed", "aborted", "aborted"]);
});
