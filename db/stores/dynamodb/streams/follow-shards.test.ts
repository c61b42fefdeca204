import { afterEach, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { FakeStream } from "./fake-stream.fixture.ts";
import { followShards, type ShardPosition } from "./follow-shards.ts";

let stopping = new AbortController();
let following: Promise<void> = Promise.resolve();
afterEach(async () => {
  stopping.abort();
  await following.catch(() => undefined);
  stopping = new AbortController();
});

/** Follows a stream, and keeps its records in order. */
function follow(stream: FakeStream, positions = new Map<string, ShardPosition>()) {
  const told: string[] = [];
  const lost: string[] = [];
  following = followShards({
    ...{ calls: stream, arn: "arn", positions, signal: stopping.signal },
    events: {
      records: (shard, records) => told.push(...records.map(({ sequence }) => `${shard} ${sequence}`)),
      ended: (shard) => told.push(`${shard} ended`),
      lost: (shard) => lost.push(shard),
      room: async () => undefined,
    },
  });
  following.catch(() => undefined);
  const until = (line: string) => waitFor(() => told.includes(line), { message: `"${line}" is told` });
  return { told, lost, until };
}

test("records of a child come after all of its parent, however deep, and cousins go on by themselves", async () => {
  const stream = new FakeStream();
  stream.add("a");
  stream.add("z");
  const early = stream.write("a", 3);
  stream.split("a", "b", "c");
  const [inB = ""] = stream.write("b", 1);
  stream.split("b", "d");
  const [inD = ""] = stream.write("d", 1);
  const [inC = ""] = stream.write("c", 1);
  const [inZ = ""] = stream.write("z", 1);
  const { told, until } = follow(stream);
  await until(`d ${inD}`);
  await until(`c ${inC}`);
  await until(`z ${inZ}`);
  const family = told.filter((line) => !line.startsWith("z"));
  const parent = [...early.map((sequence) => `a ${sequence}`), "a ended"];
  expect(family.slice(0, 4)).toEqual(parent);
  expect(family.indexOf("b ended")).toBeGreaterThan(family.indexOf(`b ${inB}`));
  expect(family.indexOf(`d ${inD}`)).toBeGreaterThan(family.indexOf("b ended"));
});

test("a shard that splits while it is read is followed into its children at once", async () => {
  const stream = new FakeStream();
  stream.add("a");
  const { told, until } = follow(stream);
  const [first = ""] = stream.write("a");
  await until(`a ${first}`);
  stream.split("a", "b");
  const [second = ""] = stream.write("b");
  await until(`b ${second}`);
  expect(told).toEqual([`a ${first}`, "a ended", `b ${second}`]);
});

test("reading goes on behind the position that was kept, and a shard that was read is left out", async () => {
  const stream = new FakeStream();
  stream.add("a");
  const [, lastOfA = ""] = stream.write("a", 2);
  stream.split("a", "b");
  const [known = "", next = ""] = stream.write("b", 2);
  const positions = new Map([
    ["a", { sequence: lastOfA, done: true }],
    ["b", { sequence: known, done: false }],
  ]);
  const { told, until } = follow(stream, positions);
  await until(`b ${next}`);
  expect(told).toEqual([`b ${next}`]);
});

test("an iterator that is too old is replaced where the reader was, with nothing told twice", async () => {
  const stream = new FakeStream();
  stream.add("a");
  const { told, until } = follow(stream);
  const [first = ""] = stream.write("a");
  await until(`a ${first}`);
  stream.expireIterators();
  const [second = ""] = stream.write("a");
  await until(`a ${second}`);
  expect(told).toEqual([`a ${first}`, `a ${second}`]);
});

test("a position that was trimmed is lost, and the oldest record that is kept is next", async () => {
  const stream = new FakeStream();
  stream.add("a");
  const [known = ""] = stream.write("a", 3);
  stream.trim();
  const [kept = ""] = stream.write("a");
  const { told, lost, until } = follow(stream, new Map([["a", { sequence: known, done: false }]]));
  await until(`a ${kept}`);
  expect([told, lost]).toEqual([[`a ${kept}`], ["a"]]);
});

test("a shard that is gone before it was read to its end is lost, and its child is read", async () => {
  const stream = new FakeStream();
  stream.add("a");
  const [known = ""] = stream.write("a", 2);
  stream.split("a", "b");
  stream.trim();
  const [kept = ""] = stream.write("b");
  const { told, lost, until } = follow(stream, new Map([["a", { sequence: known, done: false }]]));
  await until(`b ${kept}`);
  expect([told, lost]).toEqual([[`b ${kept}`], ["a"]]);
});

test("a call that fails ends the reading with its error", async () => {
  const stream = new FakeStream();
  stream.add("a");
  stream.records = () => Promise.reject(new Error("The network is down."));
  follow(stream);
  await expect(following).rejects.toThrow("The network is down.");
});

test("a shard that fails ends the reading of the others too, and a page that comes after the end is not told", async () => {
  const stream = new FakeStream();
  stream.add("broken");
  stream.add("slow");
  stream.write("slow");
  const { promise: page, resolve: answer } = Promise.withResolvers<void>();
  const records = stream.records.bind(stream);
  stream.records = async (iterator) => {
    if (iterator.includes("broken")) {
      // Long after the error has ended the reading.
      setTimeout(answer, 20);
      throw new Error("The network is down.");
    }
    await page;
    return records(iterator);
  };
  const { told } = follow(stream);
  await expect(following).rejects.toThrow("The network is down.");
  expect(told).toEqual([]);
});
