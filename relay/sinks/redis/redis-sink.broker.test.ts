import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import { startTcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { describeRemoteSinkConformance } from "../sink.conformance.ts";
import { kinds, never, openRedisSink, openRedisTarget, readEntries, run } from "./redis-target.fixture.ts";

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

  test("describes itself without its password", async () => {
    const sink = openRedisSink("t", { url: "rediss://user:pa55@redis.example:6380/3?x=secret" });
    expect(sink.describe()).toEqual({ kind: "redis", address: "rediss://redis.example:6380/3" });
    await sink.close();
  });
});
