import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { ownBroker } from "#tests/brokers/own-broker.ts";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import { findFreePort } from "#tests/free-port.ts";
import { makeCertificates } from "#tests/make-certificates.ts";
import { startTcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { describeRemoteSinkConformance } from "../sink.conformance.ts";
import type { PublishOutcome } from "../sink.ts";
import { expectToSurviveKill } from "../survives-kill.conformance.ts";
import { openRedisSink, openRedisTarget, readEntries } from "./redis-target.fixture.ts";

const never = new AbortController().signal;
const kinds = (outcomes: readonly PublishOutcome[]) =>
  outcomes.map((outcome) => (outcome.kind === "failed" ? outcome.failure.code : outcome.kind));
const run = (count: number, aggregateId = "a", from = 0) =>
  Array.from({ length: count }, (_, n) => makeMessage(from + n, { aggregateId }));

describe("the shared Redis", () => {
  const broker = testBroker("redis");

  describeRemoteSinkConformance("redis", async () => {
    const stream = uniqueName();
    const proxy = await startTcpProxy(broker());
    const client = new Redis(broker().url);
    const sink = openRedisSink(stream, { url: `redis://127.0.0.1:${proxy.port}` });
    return {
      sink,
      received: async () =>
        (await readEntries(client, stream)).map((entry) => ({
          id: entry.get("event_id")?.toString(),
          body: entry.get("payload")?.toString() ?? "",
        })),
      stopConfirming: () => proxy.swallowAnswers(),
      takeDown: async () => {
        await proxy.refuse();
        await waitFor(async () => (await sink.check()) !== null, { message: "the sink has seen it" });
      },
      close: async () => {
        await client.del(stream);
        client.disconnect();
        await proxy.close();
      },
    };
  });

  test("an entry has the headers, the key and the payload as bytes; a tombstone has none", async () => {
    const stream = uniqueName();
    const { sink, entries } = await openRedisTarget(broker(), stream);
    const own = '{"trace":"1","payload":"no","key":"no"}';
    const messages = [
      makeMessage(1, { headers: own }),
      makeMessage(2, { payload: "AP8K", payloadKind: "binary", aggregateId: null }),
      makeMessage(3, { payload: null }),
    ];
    expect(kinds(await sink.publish(messages, never))).toEqual(["published", "published", "published"]);
    const [json, binary, tombstone] = await entries(stream);
    expect([...(json ?? [])].map(([name, value]) => `${name}=${value}`)).toEqual([
      `event_id=${messages[0]?.eventId}`,
      "event_type=order.changed",
      "aggregate_type=order",
      "aggregate_id=a",
      "created_at=2026-03-01T10:00:00.123456Z",
      "trace=1",
      "key=a",
      "content_type=application/json",
      'payload={"n":1}',
    ]);
    expect([...(binary?.get("payload") ?? [])]).toEqual([0, 255, 10]);
    expect(binary?.has("key")).toBe(false);
    expect(tombstone?.has("payload")).toBe(false);
  });

  test("a run of one aggregate arrives in order, even when split over several commands", async () => {
    const stream = uniqueName();
    const { sink, texts } = await openRedisTarget(broker(), stream);
    const padding = "x".repeat(300_000);
    const messages = run(20).map((message, n) => ({ ...message, payload: `{"n":${n},"p":"${padding}"}` }));
    expect(new Set(kinds(await sink.publish(messages, never)))).toEqual(new Set(["published"]));
    expect((await texts(stream)).map((text) => JSON.parse(text ?? "").n)).toEqual(messages.map((_, n) => n));
  });

  test("a run longer than one command stops at its first refused message, wherever it is", async () => {
    const stream = uniqueName();
    const { sink, client, entries } = await openRedisTarget(broker(), "{eventType}");
    await client.set(`${stream}_wrong`, "a text");
    for (const refused of [0, 499, 500, 700]) {
      await client.del(stream);
      const messages = run(1000).map((message, n) =>
        n === refused ? { ...message, eventType: `${stream}_wrong` } : { ...message, eventType: stream },
      );
      const seen = kinds(await sink.publish(messages, never));
      expect(seen).toEqual(
        messages.map((_, n) => (n < refused ? "published" : n === refused ? "rejected" : "aborted")),
      );
      expect((await entries(stream)).length).toBe(refused);
    }
    await client.del(`${stream}_wrong`);
  });

  test("after a refused message nothing later of its aggregate arrives, and the others do", async () => {
    const stream = uniqueName();
    const { sink, client, texts } = await openRedisTarget(broker(), "{eventType}");
    await client.set(`${stream}_wrong`, "a text");
    const at = (n: number, aggregateId: string | null, topic: string) =>
      makeMessage(n, { aggregateId, eventType: topic, payload: `${n}`, payloadKind: "text" });
    const outcomes = await sink.publish(
      [
        at(1, "a", stream),
        at(2, "a", `${stream}_wrong`),
        at(3, "a", stream),
        at(4, "b", stream),
        at(5, null, `${stream}_wrong`),
        at(6, null, stream),
        at(7, "c", ""),
        at(8, "c", stream),
      ],
      never,
    );
    expect(kinds(outcomes)).toEqual([
      "published",
      "rejected",
      "aborted",
      "published",
      "rejected",
      "published",
      "unroutable",
      "aborted",
    ]);
    expect(outcomes[1]).toMatchObject({ failure: { kind: "message", message: expect.stringContaining("WRONGTYPE") } });
    expect(await texts(stream)).toEqual(["1", "4", "6"]);
    await client.del(`${stream}_wrong`);
  });

  test("each of many aggregates gets its own outcome, and refused ones block no other", async () => {
    const stream = uniqueName();
    const { sink, client, texts } = await openRedisTarget(broker(), "{eventType}");
    await client.set(`${stream}_wrong`, "a text");
    const wrong = (n: number) => n % 7 === 3;
    const messages = Array.from({ length: 500 }, (_, n) =>
      makeMessage(n, { aggregateId: `a${n}`, eventType: wrong(n) ? `${stream}_wrong` : stream }),
    );
    const outcomes = await sink.publish(messages, never);
    expect(kinds(outcomes)).toEqual(messages.map((_, n) => (wrong(n) ? "rejected" : "published")));
    const sent = messages.filter((_, n) => !wrong(n)).map(({ payload }) => payload);
    expect(await texts(stream)).toEqual(sent);
    await client.del(`${stream}_wrong`);
  });

  test("in any mix of aggregates, each delivers exactly what precedes its first refused message", async () => {
    const stream = uniqueName();
    const { sink, client, entries } = await openRedisTarget(broker(), "{eventType}");
    await client.set(`${stream}_wrong`, "a text");
    const shape = fc.record({ aggregate: fc.nat(12), wrong: fc.integer({ min: 0, max: 5 }).map((n) => n === 0) });
    await fc.assert(
      fc.asyncProperty(fc.array(shape, { minLength: 1, maxLength: 40 }), async (shapes) => {
        await client.del(stream);
        const messages = shapes.map(({ aggregate, wrong }, n) =>
          makeMessage(n, {
            aggregateId: aggregate === 0 ? null : `a${aggregate}`,
            eventType: wrong ? `${stream}_wrong` : stream,
          }),
        );
        const stopped = new Set<string>();
        const expected = messages.map(({ aggregateKey, eventType }) => {
          if (aggregateKey !== null && stopped.has(aggregateKey)) return "aborted";
          if (eventType === stream) return "published";
          if (aggregateKey !== null) stopped.add(aggregateKey);
          return "rejected";
        });
        expect(kinds(await sink.publish(messages, never))).toEqual(expected);
        const arrived = (await entries(stream)).map((entry) => String(entry.get("event_id")));
        expect(arrived).toEqual(messages.filter((_, n) => expected[n] === "published").map(({ eventId }) => eventId));
      }),
      { numRuns: 60 },
    );
    await client.del(`${stream}_wrong`);
  });

  test("the address may name a database, and a password that the server does not require", async () => {
    const stream = uniqueName();
    const { host, port } = broker();
    const sink = openRedisSink(stream, { url: `redis://:unneeded@${host}:${port}/3` });
    expect(kinds(await sink.publish(run(1), never))).toEqual(["published"]);
    await sink.close();
    const client = new Redis({ host, port, db: 3 });
    expect(await readEntries(client, stream)).toHaveLength(1);
    await client.del(stream);
    client.disconnect();
  });

  test("streams are trimmed, exactly or approximately", async () => {
    const [exact, about] = [uniqueName(), uniqueName()];
    const first = await openRedisTarget(broker(), exact, { maxLength: 5, exactLength: true });
    await first.sink.publish(run(300), never);
    expect(await first.texts(exact)).toEqual(["295", "296", "297", "298", "299"].map((n) => `{"n":${n}}`));
    const second = await openRedisTarget(broker(), about, { maxLength: 5 });
    await second.sink.publish(run(300), never);
    const kept = await second.client.xlen(about);
    expect(kept).toBeGreaterThanOrEqual(5);
    expect(kept).toBeLessThan(300);
    const apart = run(300).map((message, n) => ({ ...message, aggregateKey: `a${n}` }));
    await first.client.del(exact);
    await first.sink.publish(apart, never);
    expect(await first.texts(exact)).toEqual(["295", "296", "297", "298", "299"].map((n) => `{"n":${n}}`));
  });

  test("the script is sent again to a server that has lost it", async () => {
    const stream = uniqueName();
    const { sink, client, texts } = await openRedisTarget(broker(), stream);
    await sink.publish(run(2), never);
    await client.script("FLUSH");
    expect(kinds(await sink.publish(run(2, "a", 2), never))).toEqual(["published", "published"]);
    expect(await texts(stream)).toHaveLength(4);
  });

  test("no answer in time is ambiguous, and the stalled connection is replaced", async () => {
    const stream = uniqueName();
    const { sink, proxy, texts } = await openRedisTarget(broker(), stream, { timeout: 200 });
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

  test("describes itself without its password", async () => {
    const sink = openRedisSink("t", { url: "rediss://user:pa55@redis.example:6380/3?x=secret" });
    expect(sink.describe()).toEqual({ kind: "redis", address: "rediss://redis.example:6380/3" });
    await sink.close();
  });
});

describe("a private Redis", () => {
  test("killed during work: confirmed messages are there, and the sink recovers after the restart", async () => {
    const broker = await ownBroker("redis");
    const { sink, texts } = await openRedisTarget(broker, "s");
    await expectToSurviveKill({ sink, broker, arrivedIds: async () => new Set(await texts("s", "event_id")) });
  });

  test("refused passwords and users are environment failures, and correct ones work", async () => {
    const broker = await ownBroker("redis", { settings: { requirepass: "p@ss/w:rd" } });
    const admin = new Redis({ ...{ host: broker.host, port: broker.port }, password: "p@ss/w:rd" });
    await admin.call("ACL", ["SETUSER", "reader", "on", ">pw", "~*", "+@read", "+ping"]);
    await admin.call("ACL", ["SETUSER", "relay", "on", ">pw", "~*", "+eval", "+xadd", "+ping"]);
    await admin.call("ACL", ["SETUSER", "plain", "on", ">pw", "~*", "+xadd", "+ping"]);
    const ask = async (userInfo: string, messages = [makeMessage(1)]) => {
      const sink = openRedisSink("s", { url: `redis://${userInfo}${broker.host}:${broker.port}` });
      await sink.connect();
      const [outcome] = await sink.publish(messages, never);
      const answer = { check: await sink.check(), outcome };
      await sink.close();
      expect(JSON.stringify(answer)).not.toMatch(/p@ss|p%40|nope/);
      return answer;
    };
    const auth = { failure: { kind: "environment", code: "auth" } };
    expect((await ask("")).outcome).toMatchObject(auth);
    expect((await ask(":nope@")).outcome).toMatchObject(auth);
    expect((await ask(":nope@")).check).toMatchObject({ code: "auth" });
    expect((await ask("reader:pw@")).outcome).toMatchObject(auth);
    expect(await ask(`:${encodeURIComponent("p@ss/w:rd")}@`)).toEqual({ check: null, outcome: { kind: "published" } });
    expect(await ask("relay:pw@")).toEqual({ check: null, outcome: { kind: "published" } });
    expect(await ask("relay:pw@", run(2))).toEqual({ check: null, outcome: { kind: "published" } });
    expect(await ask("plain:pw@")).toEqual({ check: null, outcome: { kind: "published" } });
    expect((await ask("plain:pw@", run(2))).outcome).toMatchObject(auth);
    expect((await ask(`default:${encodeURIComponent("p@ss/w:rd")}@`)).outcome).toEqual({ kind: "published" });
    admin.disconnect();
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

  test("TLS: a known authority is trusted, an unknown one is an environment failure", async () => {
    const certificates = makeCertificates();
    const port = await findFreePort();
    const folder = (await ownBroker("redis")).folder;
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const broker = await ownBroker("redis", {
      settings: {
        "tls-port": String(port),
        "tls-cert-file": file("cert.pem", certificates.server.cert),
        "tls-key-file": file("key.pem", certificates.server.key),
        "tls-ca-cert-file": file("ca.pem", certificates.ca),
      },
    });
    const publish = async (files: { ca?: string; cert?: string; key?: string }) => {
      const tls = { insecure: false, ...files };
      const sink = openRedisSink("s", { url: `rediss://${broker.host}:${port}`, tls });
      const [outcome] = await sink.publish([makeMessage(1)], never);
      await sink.close();
      return outcome;
    };
    expect(await publish({ ca: certificates.ca, ...certificates.client })).toEqual({ kind: "published" });
    expect(await publish({})).toMatchObject({ failure: { kind: "environment", code: "unreachable" } });
    expect(await publish({ ca: certificates.ca })).toMatchObject({ failure: { kind: "environment" } });
  });
});
