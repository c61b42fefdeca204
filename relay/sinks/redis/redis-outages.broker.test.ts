import { describe, expect, onTestFinished, test } from "vitest";
import { ownBroker } from "#tests/brokers/own-broker.ts";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import { waitFor } from "#tests/wait-for.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { expectToSurviveKill } from "../survives-kill.conformance.ts";
import { kinds, never, openRedisSink, openRedisTarget, run } from "./redis-target.fixture.ts";

describe("the shared Redis", () => {
  const broker = testBroker("redis");

  test("no answer in time is ambiguous, and the stalled connection is replaced", async () => {
    const stream = uniqueName();
    const { sink, proxy, texts } = await openRedisTarget(broker(), stream, { timeout: 2_000 });
    await sink.connect();
    proxy.swallowAnswers();
    const [first, second] = await sink.publish(run(2), never);
    expect(first).toMatchObject({ failure: { kind: "ambiguous", code: "timeout" } });
    expect(second).toEqual({ kind: "aborted" });
    expect(await texts(stream)).toHaveLength(2);
    await proxy.resume();
    await waitFor(async () => (await sink.check()) === null, { message: "it is connected again" });
    expect(kinds(await sink.publish(run(2), never))).toEqual(["published", "published"]);
  });

  test("a connection cut after sending is ambiguous, and nothing is sent again", async () => {
    const stream = uniqueName();
    const { sink, proxy, texts } = await openRedisTarget(broker(), stream);
    await sink.connect();
    proxy.swallowAnswers();
    const publishing = sink.publish(run(1), never);
    await waitFor(async () => (await texts(stream)).length === 1, { message: "it arrived" });
    await proxy.refuse();
    expect((await publishing)[0]).toMatchObject({ failure: { kind: "ambiguous", code: "unreachable" } });
    await proxy.resume();
    await waitFor(async () => (await sink.check()) === null, { message: "it is connected again" });
    expect(await texts(stream)).toHaveLength(1);
  });

  test("a server that takes connections and says nothing is an environment failure", async () => {
    const { sink, proxy } = await openRedisTarget(broker(), uniqueName(), { connectTimeout: 100 });
    proxy.pause();
    await sink.connect();
    expect(await sink.check()).toMatchObject({ kind: "environment", code: "unreachable" });
    const [outcome] = await sink.publish([makeMessage(1)], never);
    expect(outcome).toMatchObject({ failure: { kind: "environment", code: "unreachable" } });
  });
});

describe("a private Redis", () => {
  test("killed during work: confirmed messages are there, and the sink recovers after the restart", async () => {
    const broker = await ownBroker("redis");
    const { sink, texts } = await openRedisTarget(broker, "s");
    await expectToSurviveKill({ sink, broker, arrivedIds: async () => new Set(await texts("s", "event_id")) });
  });

  test("full memory and a demotion to replica are environment failures that pass", async () => {
    const broker = await ownBroker("redis");
    const { sink, client } = await openRedisTarget(broker, "s");
    const unavailable = { failure: { kind: "environment", code: "unavailable" } };
    const calls = [run(1), run(2), [...run(1, "a"), ...run(1, "b", 1)]];
    const expectUnavailable = async () => {
      for (const messages of calls) expect((await sink.publish(messages, never))[0]).toMatchObject(unavailable);
      expect(await client.xlen("s")).toBe(0);
    };
    await client.config("SET", "maxmemory", "1");
    await expectUnavailable();
    await client.config("SET", "maxmemory", "0");
    expect(await sink.publish([makeMessage(1)], never)).toEqual([{ kind: "published" }]);
    await client.del("s");
    await client.replicaof("127.0.0.1", "1");
    for (const messages of calls) expect((await sink.publish(messages, never))[0]).toMatchObject(unavailable);
    await client.replicaof("NO", "ONE");
    await waitFor(async () => (await sink.publish([makeMessage(2)], never))[0]?.kind === "published", {
      message: "the replica is a primary",
    });
  });

  test("no room for one more client is said in Redis' own words", async () => {
    const broker = await ownBroker("redis");
    const { client } = await openRedisTarget(broker, "s");
    await client.config("SET", "maxclients", "1");
    const sink = openRedisSink("s", { url: broker.url });
    onTestFinished(() => sink.close());
    const [outcome] = await sink.publish([makeMessage(1)], never);
    const message = "ERR max number of clients reached";
    expect(outcome).toEqual({ kind: "failed", failure: { kind: "environment", code: "unavailable", message } });
    await client.config("SET", "maxclients", "100");
    expect(await sink.publish([makeMessage(1)], never)).toEqual([{ kind: "published" }]);
  });

  test("memory runs out within a call: each aggregate has its first messages and no others", async () => {
    const broker = await ownBroker("redis");
    const { sink, client, entries } = await openRedisTarget(broker, "s");
    const used = Number(/used_memory:(\d+)/.exec(await client.info("memory"))?.[1]);
    await client.config("SET", "maxmemory", String(used + 500_000));
    const payload = JSON.stringify("x".repeat(2000));
    const runsFrom = 300;
    const aggregateOf = (n: number) => (n < runsFrom ? n : runsFrom + Math.floor((n - runsFrom) / 2));
    const messages = Array.from({ length: 400 }, (_, n) =>
      makeMessage(n, { aggregateId: `a${aggregateOf(n)}`, payload }),
    );
    const seen = kinds(await sink.publish(messages, never));
    expect(new Set(seen)).toEqual(new Set(["published", "unavailable", "aborted"]));
    const arrived = (await entries("s")).map((entry) => String(entry.get("event_id")));
    expect(arrived).toEqual(messages.filter((_, n) => seen[n] === "published").map(({ eventId }) => eventId));
    const byAggregate = Map.groupBy(seen.entries(), ([n]) => aggregateOf(n));
    for (const own of byAggregate.values()) {
      expect(own.map(([, outcome]) => outcome).join(" ")).toMatch(/^(published ?)*(unavailable( aborted)*)?$/);
    }
  });
});
