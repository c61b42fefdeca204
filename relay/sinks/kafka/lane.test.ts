import { expect, test } from "vitest";
import { ABORTED, PUBLISHED } from "../sink.ts";
import { Lane } from "./lane.ts";
import { AggregateRun, type Entry, PublishCall } from "./publish-call.ts";
import { toRecord } from "./record-batch.ts";

const identity = { producerId: 1n, epoch: 0 };
const TO = { topic: "t", partition: 0 };

/** A lane with waiting messages, each of another aggregate unless they share a run. */
function laneOf(count: number, options: { bytes?: number; maxBytes?: number; oneRun?: boolean } = {}) {
  const lane = new Lane(TO, options.maxBytes ?? 1_000_000);
  const entries: Entry[] = [];
  const call = new PublishCall(count);
  const send = (entry: Entry) => {
    entries.push(entry);
    lane.push(entry);
  };
  const body = "x".repeat(options.bytes ?? 10);
  const record = toRecord({ topic: "t", key: "k", headers: [], body, contentType: "text/plain" });
  const shared = new AggregateRun(call, send);
  for (let index = 0; index < count; index += 1) {
    const run = options.oneRun ? shared : new AggregateRun(call, send);
    run.add(index, record, TO);
    if (!options.oneRun) run.advance();
  }
  shared.advance();
  return { lane, entries, call };
}

test("numbers records from the last confirmed one, and from zero with a new identity", () => {
  const { lane, entries } = laneOf(3);
  const first = lane.take(identity);
  expect(first).toMatchObject({ sequence: 0, entries });
  if (first === null) throw new Error("there is work");
  lane.putBack(first.entries);
  expect(lane.take(identity)).toMatchObject({ sequence: 0, entries });
  lane.written(first);
  lane.putBack(entries.slice(0, 1));
  expect(lane.take(identity)).toMatchObject({ sequence: 3 });
  lane.putBack(entries.slice(0, 1));
  expect(lane.take({ producerId: 2n, epoch: 0 })).toMatchObject({ sequence: 0 });
});

test("a batch is cut by bytes, and a single record is never too large", () => {
  const { lane } = laneOf(5, { bytes: 400, maxBytes: 1_000 });
  expect([1, 2, 3].map(() => lane.take(identity)?.entries.length)).toEqual([2, 2, 1]);
  expect(laneOf(2, { bytes: 5_000, maxBytes: 1_000 }).lane.take(identity)?.entries).toHaveLength(1);
});

test("halves a refused batch until it passes, then doubles again", () => {
  const { lane } = laneOf(100);
  const sizes: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const chunk = lane.take(identity);
    if (chunk === null) throw new Error("there is work");
    sizes.push(chunk.entries.length);
    lane.halve(chunk, false);
    lane.putBack(chunk.entries);
  }
  for (let chunk = lane.take(identity); chunk !== null; chunk = lane.take(identity)) {
    sizes.push(chunk.entries.length);
    lane.written(chunk);
  }
  expect(sizes).toEqual([100, 50, 25, 12, 24, 48, 16]);
});

test("skips aborted messages, and withholds those after a failure of their aggregate", async () => {
  const { lane, entries, call } = laneOf(3, { oneRun: true });
  entries[0]?.settle({ kind: "failed", failure: { code: "too_large", kind: "message", message: "x" } });
  expect(lane.take(identity)).toBeNull();
  expect((await call.done).slice(1)).toEqual([ABORTED, ABORTED]);
  const aborted = laneOf(2);
  aborted.call.settleAll(ABORTED);
  expect(aborted.lane.take(identity)).toBeNull();
});

test("returns only messages without an outcome when emptied", () => {
  const { lane, entries } = laneOf(3);
  entries[1]?.settle(PUBLISHED);
  expect(lane.drain()).toEqual([entries[0], entries[2]]);
  expect(lane.hasWork).toBe(false);
});
