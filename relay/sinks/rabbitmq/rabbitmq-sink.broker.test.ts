import { describe, expect, onTestFinished, test } from "vitest";
import { ownBroker } from "#tests/brokers/own-broker.ts";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { startTcpProxy } from "#tests/tcp-proxy.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { describeRemoteSinkConformance } from "../sink.conformance.ts";
import { openSide, openSink } from "./rabbitmq-side.fixture.ts";

const never = new AbortController().signal;
const PUBLISHED = { kind: "published" };
const ABORTED = { kind: "aborted" };
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
  const openOwnSide = async (queueArguments: Record<string, unknown> = {}) => {
    const side = await openSide(broker(), queueArguments);
    onTestFinished(() => side.close());
    return side;
  };

  test("messages are persistent, and carry their id, headers, content type and creation time", async () => {
    const side = await openOwnSide();
    const sink = openSink(broker().url, { exchange: side.exchange });
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

  test("only messages that no queue takes are unroutable", async () => {
    const side = await openOwnSide();
    const sink = openSink(broker().url, { exchange: side.exchange });
    const messages = Array.from({ length: 60 }, (_, n) =>
      makeMessage(n, { aggregateId: `a${n}`, topic: n % 3 === 0 ? "parcels.a" : "orders.a" }),
    );
    const outcomes = await sink.publish(messages, never);
    for (const [n, outcome] of outcomes.entries()) {
      if (n % 3 !== 0) expect(outcome).toEqual(PUBLISHED);
      else expect(outcome).toMatchObject({ failure: { kind: "route", code: "unroutable" } });
    }
    expect(await side.received()).toHaveLength(40);
  });

  test("of two messages with the same id only the returned one is unroutable", async () => {
    const side = await openOwnSide();
    const sink = openSink(broker().url, { exchange: side.exchange });
    const { eventId } = makeMessage(1);
    const outcomes = await sink.publish(
      [
        makeMessage(1, { aggregateId: "a", topic: "parcels.a" }),
        makeMessage(2, { aggregateId: "b", topic: "orders.a", eventId }),
      ],
      never,
    );
    expect(outcomes).toMatchObject([{ failure: { kind: "route", code: "unroutable" } }, PUBLISHED]);
  });

  test("with the default exchange the topic is a queue, which must exist", async () => {
    const side = await openOwnSide();
    const sink = openSink(broker().url);
    const outcomes = await sink.publish(
      [makeMessage(1, { topic: side.queue }), makeMessage(2, { aggregateId: "b", topic: "no-such-queue" })],
      never,
    );
    expect(outcomes).toMatchObject([PUBLISHED, { failure: { code: "unroutable" } }]);
    expect(outcomes).toMatchObject([{}, { failure: { message: expect.stringContaining('"no-such-queue"') } }]);
  });

  test("reports missing queues, and goes on publishing", async () => {
    const side = await openOwnSide();
    const sink = openSink(broker().url);
    expect(await sink.publish([makeMessage(1, { topic: side.queue })], never)).toEqual([PUBLISHED]);
    const missing = (await sink.missingTopics?.([`${side.queue}-not`, side.queue])) ?? [];
    expect(missing.map(({ topic }) => topic)).toEqual([`${side.queue}-not`]);
    expect(missing[0]?.fix).toContain(`declare queue name=${side.queue}-not`);
    expect(await sink.publish([makeMessage(2, { topic: side.queue })], never)).toEqual([PUBLISHED]);
  });

  test("with a configured exchange routing keys cannot be checked; a missing exchange is reported", async () => {
    const side = await openOwnSide();
    expect(await openSink(broker().url, { exchange: side.exchange }).missingTopics?.(["anything"])).toEqual([]);
    const failure = await openSink(broker().url, { exchange: `${side.exchange}-not` }).check();
    expect(failure?.message).toMatch(/no exchange/);
    expect(failure?.message).toContain("declare: true");
  });

  test("a full queue's refusal is the fault of the route, and order is kept", async () => {
    const side = await openOwnSide({ "x-max-length": 1, "x-overflow": "reject-publish" });
    const sink = openSink(broker().url, { exchange: side.exchange });
    const [a1, a2, a3] = [makeMessage(1), makeMessage(2), makeMessage(3)];
    const outcomes = await sink.publish([a1, a2, a3], never);
    expect(outcomes).toMatchObject([PUBLISHED, { failure: { kind: "route", code: "throttled" } }, ABORTED]);
    expect((await side.received()).map(({ id }) => id)).toEqual([a1.eventId]);
  });

  test("after a refusal nothing of that aggregate arrives, and the other aggregates arrive in order", async () => {
    const side = await openOwnSide();
    const sink = openSink(broker().url, { exchange: side.exchange });
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

  test("a message that AMQP cannot express is a message failure, and others go on", async () => {
    const side = await openOwnSide();
    const sink = openSink(broker().url, { exchange: side.exchange });
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

  test("a message over the broker's limit is too large, and no other is to blame", async () => {
    const strict = await ownBroker("rabbitmq", { settings: { max_message_size: "1000" } });
    const side = await openSide(strict);
    const sink = openSink(strict.url, { exchange: side.exchange });
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

  test("its description names the exchange", () => {
    const sink = openSink("amqp://guest:secret@broker.internal:5672/shop", { exchange: "orders" });
    expect(sink.describe()).toEqual({ kind: "rabbitmq", address: "amqp://broker.internal:5672/shop exchange orders" });
  });
});
