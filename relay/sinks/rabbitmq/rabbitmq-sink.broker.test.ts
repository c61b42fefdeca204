import { Connection, type SyncMessage } from "rabbitmq-client";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import type { RabbitmqSinkConfig } from "#services/config/config-schema.ts";
import { configSchema } from "#services/config/config-schema.ts";
import type { Broker } from "#tests/brokers/broker.ts";
import { ownBroker } from "#tests/brokers/own-broker.ts";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import { startTcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import type { Router } from "../../routing/router.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { type Arrived, describeRemoteSinkConformance } from "../sink.conformance.ts";
import type { Sink } from "../sink.ts";
import { createRabbitmqSink } from "./rabbitmq-sink.ts";

const never = new AbortController().signal;
const PUBLISHED = { kind: "published" };
const ABORTED = { kind: "aborted" };

/** The topic column is the routing key. As bytes, because the client that reads would parse JSON. */
const route: Router = (message) => ({
  routed: {
    topic: message.topic ?? "orders.a",
    key: message.aggregateId,
    headers: [["event_id", message.eventId]],
    body: message.payloadKind === "binary" ? Buffer.from(message.payload ?? "", "base64") : message.payload,
    contentType: "application/octet-stream",
  },
});

function openSink(url: string, settings: Partial<RabbitmqSinkConfig> = {}): Sink {
  const { sinks } = configSchema.parse({ sinks: { events: { kind: "rabbitmq", url, timeout: "2s" } } });
  return createRabbitmqSink({ config: { ...(sinks.events as RabbitmqSinkConfig), ...settings }, route });
}

/** An exchange and a queue bound to `orders.#`, seen from a connection of its own. */
async function openSide(broker: Broker, queueArguments: Record<string, unknown> = {}) {
  const connection = new Connection(broker.url);
  connection.on("error", () => undefined);
  const channel = await connection.acquire();
  const [exchange, queue] = [uniqueName("exchange"), uniqueName("queue")];
  await channel.exchangeDeclare({ exchange, type: "topic", durable: true });
  await channel.queueDeclare({ queue, durable: true, arguments: queueArguments });
  await channel.queueBind({ exchange, queue, routingKey: "orders.#" });
  const read: SyncMessage[] = [];
  const messages = async () => {
    for (let next = await channel.basicGet({ queue, noAck: true }); next; ) {
      read.push(next);
      next = await channel.basicGet({ queue, noAck: true });
    }
    return read;
  };
  const received = async (): Promise<Arrived[]> =>
    (await messages()).map(({ messageId, body }) => ({ id: messageId, body: String(body) }));
  const close = async () => {
    await channel.queueDelete({ queue });
    await channel.exchangeDelete({ exchange });
    await channel.close();
    await connection.close();
  };
  return { exchange, queue, channel, messages, received, close };
}

const broker = testBroker("rabbitmq");

describeRemoteSinkConformance("rabbitmq", async () => {
  const side = await openSide(broker());
  const { host, port } = broker();
  const proxy = await startTcpProxy({ host, port });
  return {
    sink: openSink(`amqp://guest:guest@127.0.0.1:${proxy.port}`, { exchange: side.exchange }),
    received: side.received,
    stopConfirming: () => proxy.swallowAnswers(),
    takeDown: () => proxy.refuse(),
    close: async () => {
      await proxy.close();
      await side.close();
    },
  };
});

describe("a rabbitmq sink", () => {
  const sinks: Sink[] = [];
  const open = (url: string, settings: Partial<RabbitmqSinkConfig> = {}) => {
    const sink = openSink(url, settings);
    sinks.push(sink);
    return sink;
  };
  const openOwnSide = async (queueArguments: Record<string, unknown> = {}) => {
    const side = await openSide(broker(), queueArguments);
    onTestFinished(() => side.close());
    return side;
  };
  afterEach(async () => {
    for (const sink of sinks.splice(0)) await sink.close();
  });

  test("messages are persistent, and carry their id, headers, type of content and time of creation", async () => {
    const side = await openOwnSide();
    const sink = open(broker().url, { exchange: side.exchange });
    expect(await sink.check()).toBeNull();
    expect(await sink.publish([makeMessage(1), makeMessage(2, { payload: null })], never)).toEqual([
      PUBLISHED,
      PUBLISHED,
    ]);
    const [first, tombstone] = await side.messages();
    expect(first).toMatchObject({
      messageId: makeMessage(1).eventId,
      routingKey: "orders.a",
      contentType: "application/octet-stream",
      headers: { event_id: makeMessage(1).eventId },
      durable: true,
      timestamp: Math.floor(Date.parse("2026-03-01T10:00:00Z") / 1000),
    });
    expect(tombstone?.body).toEqual(Buffer.alloc(0));
  });

  test("what no queue takes is unroutable, and nothing else of the call is", async () => {
    const side = await openOwnSide();
    const sink = open(broker().url, { exchange: side.exchange });
    const messages = Array.from({ length: 60 }, (_, n) =>
      makeMessage(n, { aggregateId: `a${n}`, topic: n % 3 === 0 ? "parcels.a" : "orders.a" }),
    );
    const outcomes = await sink.publish(messages, never);
    for (const [n, outcome] of outcomes.entries()) {
      if (n % 3 !== 0) expect(outcome).toEqual(PUBLISHED);
      else expect(outcome).toMatchObject({ failure: { kind: "message", code: "unroutable" } });
    }
    expect(await side.received()).toHaveLength(40);
  });

  test("by the default exchange the topic is a queue, which must be there", async () => {
    const side = await openOwnSide();
    const sink = open(broker().url);
    const outcomes = await sink.publish(
      [makeMessage(1, { topic: side.queue }), makeMessage(2, { aggregateId: "b", topic: "no-such-queue" })],
      never,
    );
    expect(outcomes).toMatchObject([PUBLISHED, { failure: { code: "unroutable" } }]);
    expect(outcomes).toMatchObject([{}, { failure: { message: expect.stringContaining('"no-such-queue"') } }]);
  });

  test("an exchange that is not there is the environment's fault, and `declare` makes it", async () => {
    const exchange = uniqueName("exchange");
    const sink = open(broker().url, { exchange });
    const [missing] = await sink.publish([makeMessage(1)], never);
    expect(missing).toMatchObject({
      failure: {
        kind: "environment",
        code: "unavailable",
        message: expect.stringContaining(`no exchange '${exchange}'`),
      },
    });
    expect(await sink.check()).toMatchObject({ code: "unavailable" });
    const declaring = open(broker().url, { exchange, exchangeType: "fanout", declare: true });
    expect(await declaring.check()).toBeNull();
    const side = await openOwnSide();
    await side.channel.queueBind({ exchange, queue: side.queue });
    expect(await sink.publish([makeMessage(1)], never)).toEqual([PUBLISHED]);
    await side.channel.exchangeDelete({ exchange });
    const gone = await sink.publish(
      Array.from({ length: 9 }, (_, n) => makeMessage(n, { aggregateId: `a${n}` })),
      never,
    );
    expect(new Set(gone.map((outcome) => outcome.kind === "failed" && outcome.failure.code))).toEqual(
      new Set(["unavailable"]),
    );
  });

  test("an exchange of another type is not redeclared", async () => {
    const side = await openOwnSide();
    const sink = open(broker().url, { exchange: side.exchange, exchangeType: "direct", declare: true });
    expect(await sink.check()).toMatchObject({ kind: "environment", code: "unavailable" });
  });

  test("wrong credentials and a virtual host that is not there are told apart", async () => {
    const { host, port } = broker();
    const stranger = open(`amqp://stranger:secret-password@${host}:${port}`);
    const [outcome] = await stranger.publish([makeMessage(1)], never);
    expect(outcome).toMatchObject({ failure: { kind: "environment", code: "auth" } });
    expect(JSON.stringify(outcome)).not.toContain("secret-password");
    const lost = open(`amqp://guest:guest@${host}:${port}/nowhere`);
    expect(await lost.check()).toMatchObject({ kind: "environment", code: "unavailable" });
  });

  test("a host that does not exist is the environment's fault", async () => {
    const [outcome] = await open("amqp://guest:secret@nowhere.invalid").publish([makeMessage(1)], never);
    expect(outcome).toMatchObject({ failure: { kind: "environment", code: "unreachable" } });
  });

  test("a full queue refuses, which need not be the message's fault, and order is kept", async () => {
    const side = await openOwnSide({ "x-max-length": 1, "x-overflow": "reject-publish" });
    const sink = open(broker().url, { exchange: side.exchange });
    const [a1, a2, a3] = [makeMessage(1), makeMessage(2), makeMessage(3)];
    const outcomes = await sink.publish([a1, a2, a3], never);
    expect(outcomes).toMatchObject([PUBLISHED, { failure: { kind: "ambiguous", code: "throttled" } }, ABORTED]);
    expect((await side.received()).map(({ id }) => id)).toEqual([a1.eventId]);
  });

  test("after one that is refused nothing of its aggregate arrives, and the others all do, in order", async () => {
    const side = await openOwnSide();
    const sink = open(broker().url, { exchange: side.exchange });
    const messages = Array.from({ length: 100 }, (_, n) =>
      makeMessage(n, { aggregateId: `a${n % 4}`, topic: n === 40 ? "parcels.a" : "orders.a" }),
    );
    const outcomes = await sink.publish(messages, never);
    const arrived = (await side.received()).map(({ id }) => Number(id?.slice(-12)));
    for (const lane of [1, 2, 3]) {
      expect(arrived.filter((n) => n % 4 === lane)).toEqual(messages.map((_, n) => n).filter((n) => n % 4 === lane));
    }
    expect(arrived.filter((n) => n % 4 === 0)).toEqual([0, 4, 8, 12, 16, 20, 24, 28, 32, 36]);
    expect(outcomes[40]).toMatchObject({ failure: { code: "unroutable" } });
    expect(
      outcomes
        .slice(41)
        .filter((_, n) => (n + 41) % 4 === 0)
        .every(({ kind }) => kind === "aborted"),
    ).toBe(true);
  });

  test("what AMQP cannot say is the message's fault, and others go on", async () => {
    const side = await openOwnSide();
    const sink = open(broker().url, { exchange: side.exchange });
    const outcomes = await sink.publish(
      [
        makeMessage(1, { aggregateId: "a", topic: "orders.".padEnd(256, "x") }),
        makeMessage(2, { aggregateId: "b", eventId: "x".repeat(256) }),
        makeMessage(3, { aggregateId: "c" }),
      ],
      never,
    );
    expect(outcomes).toMatchObject([
      { failure: { kind: "message", code: "unroutable" } },
      { failure: { kind: "message", code: "serialisation" } },
      PUBLISHED,
    ]);
  });

  test("no confirmation in time may be anyone's fault; the next try has a new connection", async () => {
    const side = await openOwnSide();
    const { host, port } = broker();
    const proxy = await startTcpProxy({ host, port });
    onTestFinished(() => proxy.close());
    const sink = open(`amqp://guest:guest@127.0.0.1:${proxy.port}`, { exchange: side.exchange, timeout: 300 });
    await sink.connect();
    proxy.swallowAnswers();
    const [late] = await sink.publish([makeMessage(1)], never);
    expect(late).toMatchObject({ failure: { kind: "ambiguous", code: "timeout" } });
    await proxy.resume();
    expect(await sink.publish([makeMessage(1)], never)).toEqual([PUBLISHED]);
  });

  test("a connection cut after sending may be anyone's fault", async () => {
    const side = await openOwnSide();
    const { host, port } = broker();
    const proxy = await startTcpProxy({ host, port });
    onTestFinished(() => proxy.close());
    const sink = open(`amqp://guest:guest@127.0.0.1:${proxy.port}`, { exchange: side.exchange });
    await sink.connect();
    proxy.swallowAnswers();
    const publishing = sink.publish([makeMessage(1), makeMessage(2)], never);
    await waitFor(async () => (await side.received()).length === 1, { message: "it arrived" });
    proxy.cut();
    const outcomes = await publishing;
    expect(outcomes).toMatchObject([{ failure: { kind: "ambiguous", code: "unreachable" } }, ABORTED]);
  });

  test("a message over the broker's limit is too large, and blames no other", { timeout: 120_000 }, async () => {
    const strict = await ownBroker("rabbitmq", { settings: { max_message_size: "1000" } });
    const side = await openSide(strict);
    const sink = open(strict.url, { exchange: side.exchange });
    const payload = "x".repeat(2000);
    const messages = Array.from({ length: 9 }, (_, n) =>
      makeMessage(n, { aggregateId: `a${n}`, ...(n === 5 ? { payload } : {}) }),
    );
    const outcomes = await sink.publish(messages, never);
    for (const [n, outcome] of outcomes.entries()) {
      if (n === 5) expect(outcome).toMatchObject({ failure: { kind: "message", code: "too_large" } });
      else expect(["published", "aborted"]).toContain(outcome.kind);
    }
    expect(await sink.publish([makeMessage(9)], never)).toEqual([PUBLISHED]);
    await side.close();
  });

  test("survives a broker that is killed and comes back; nothing confirmed is lost", { timeout: 180_000 }, async () => {
    const own = await ownBroker("rabbitmq");
    const side = await openSide(own);
    const sink = open(own.url, { exchange: side.exchange });
    const confirmed = new Set<string>();
    const kinds = new Set<string>();
    let n = 0;
    const publishSome = async () => {
      const messages = Array.from({ length: 50 }, () => makeMessage(n++, { aggregateId: `a${n % 10}` }));
      for (const [index, outcome] of (await sink.publish(messages, never)).entries()) {
        if (outcome.kind === "published") confirmed.add(messages[index]?.eventId ?? "");
        kinds.add(outcome.kind === "failed" ? `${outcome.failure.kind} ${outcome.failure.code}` : outcome.kind);
      }
    };
    await publishSome();
    let down = false;
    const killing = own.kill().then(() => {
      down = true;
    });
    while (!down) await publishSome();
    await killing;
    await publishSome();
    expect(kinds).toContain("environment unreachable");
    await own.start();
    const before = confirmed.size;
    await waitFor(
      async () => {
        await publishSome();
        return confirmed.size >= before + 50;
      },
      { timeoutMs: 30_000, message: "it publishes again" },
    );
    const reader = new Connection(own.url);
    const arrived = new Set<string | undefined>();
    for (let next = await reader.basicGet({ queue: side.queue, noAck: true }); next; ) {
      arrived.add(next.messageId);
      next = await reader.basicGet({ queue: side.queue, noAck: true });
    }
    await reader.close();
    expect([...confirmed].filter((id) => !arrived.has(id))).toEqual([]);
  });

  test("describes itself with the exchange", () => {
    const sink = open("amqp://guest:secret@broker.internal:5672/shop", { exchange: "orders" });
    expect(sink.describe()).toEqual({ kind: "rabbitmq", address: "amqp://broker.internal:5672/shop exchange orders" });
  });
});
