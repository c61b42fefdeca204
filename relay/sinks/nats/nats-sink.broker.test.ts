import { DiscardPolicy, type StreamConfig } from "@nats-io/jetstream";
import { describe, expect, onTestFinished, test } from "vitest";
import { ownBroker } from "#tests/brokers/own-broker.ts";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { startTcpProxy } from "#tests/tcp-proxy.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { describeRemoteSinkConformance } from "../sink.conformance.ts";
import { openSide, openSink } from "./nats-side.fixture.ts";

const never = new AbortController().signal;
const PUBLISHED = { kind: "published" };
const ABORTED = { kind: "aborted" };

const broker = testBroker("nats");

/** The server's default limit for a message is 1 MB; one payload of the suite has 5 MB. */
const LARGE = { max_payload: "8MB" };

describe("with a server that accepts large messages", () => {
  describeRemoteSinkConformance("nats", async () => {
    const own = await ownBroker("nats", { settings: LARGE });
    const side = await openSide(own);
    const proxy = await startTcpProxy({ host: own.host, port: own.port });
    return {
      sink: openSink(`nats://secret-user:secret-password@127.0.0.1:${proxy.port}`, side.prefix),
      received: side.received,
      stopConfirming: () => proxy.swallowAnswers(),
      takeDown: () => proxy.refuse(),
      close: async () => {
        await proxy.close();
        await side.close();
      },
    };
  });
});

describe("a nats sink", () => {
  const openOwnSide = async (limits: Partial<StreamConfig> = {}) => {
    const side = await openSide(broker(), limits);
    onTestFinished(() => side.close());
    return side;
  };

  test("a stream stores a message once, however often it is sent", async () => {
    const side = await openOwnSide();
    const sink = openSink(broker().url, side.prefix);
    expect(await sink.check()).toBeNull();
    expect(await sink.publish([makeMessage(1)], never)).toEqual([PUBLISHED]);
    expect(await sink.publish([makeMessage(1)], never)).toEqual([PUBLISHED]);
    expect(await side.received()).toHaveLength(1);
    const message = await side.manager.streams.getMessage(side.prefix, { seq: 1 });
    expect(message?.header.get("event_id")).toBe(makeMessage(1).eventId);
    expect(message?.header.get("Content-Type")).toBe("application/json");
  });

  test("a stream also stores a message whose row was changed after it was sent, once", async () => {
    const side = await openOwnSide();
    const sink = openSink(broker().url, side.prefix);
    const send = (payload: string) => sink.publish([makeMessage(1, { payload })], never);
    for (const payload of ["first", "corrected", "corrected", "first"])
      expect(await send(payload)).toEqual([PUBLISHED]);
    expect((await side.received()).map(({ body }) => body)).toEqual(["first", "corrected"]);
    const message = await side.manager.streams.getMessage(side.prefix, { seq: 2 });
    expect(message?.header.get("event_id")).toBe(makeMessage(1).eventId);
  });

  test("a stream also stores a message that is re-published, once for each operation", async () => {
    const side = await openOwnSide();
    const sink = openSink(broker().url, side.prefix);
    const replay = (operation: string) => sink.publish([makeMessage(1, { replay: operation })], never);
    await sink.publish([makeMessage(1)], never);
    expect(await replay("one")).toEqual([PUBLISHED]);
    expect(await replay("one")).toEqual([PUBLISHED]);
    expect(await replay("other")).toEqual([PUBLISHED]);
    expect(await side.received()).toHaveLength(3);
    const message = await side.manager.streams.getMessage(side.prefix, { seq: 2 });
    expect(message?.header.get("event_id")).toBe(makeMessage(1).eventId);
  });

  test("only messages whose subject no stream takes are unroutable", async () => {
    const side = await openOwnSide();
    const sink = openSink(broker().url, side.prefix);
    const messages = Array.from({ length: 60 }, (_, n) =>
      makeMessage(n, { aggregateId: `a${n}`, topic: n % 3 === 0 ? "parcels" : "orders.x" }),
    );
    const outcomes = await sink.publish(messages, never);
    for (const [n, outcome] of outcomes.entries()) {
      if (n % 3 !== 0) expect(outcome).toEqual(PUBLISHED);
      else expect(outcome).toMatchObject({ failure: { kind: "route", code: "unroutable" } });
    }
    expect(outcomes).toMatchObject([
      { failure: { message: `No stream takes the subject "${side.prefix}.parcels".` } },
      {},
      {},
      ...Array(57).fill({}),
    ]);
    const [spaced] = await sink.publish([makeMessage(1, { topic: "orders x" })], never);
    expect(spaced).toMatchObject({ failure: { kind: "message", code: "unroutable" } });
  });

  test("reports subjects that no stream takes", async () => {
    const side = await openOwnSide();
    const missing =
      (await openSink(broker().url, side.prefix).missingTopics?.([
        `${side.prefix}.orders.paid`,
        `${side.prefix}.refunds`,
      ])) ?? [];
    expect(missing.map(({ topic }) => topic)).toEqual([`${side.prefix}.refunds`]);
    expect(missing[0]?.message).toContain("no stream takes the subject");
    expect(missing[0]?.fix).toContain(`--subjects "${side.prefix}.refunds"`);
  });

  test("too large for the server, and too large for the stream", async () => {
    const side = await openOwnSide({ max_msg_size: 1000 });
    const sink = openSink(broker().url, side.prefix);
    const outcomes = await sink.publish(
      [
        makeMessage(1, { aggregateId: "a", payload: "x".repeat(2_000_000) }),
        makeMessage(2, { aggregateId: "b", payload: "x".repeat(2000) }),
        makeMessage(3, { aggregateId: "c" }),
      ],
      never,
    );
    const large = { failure: { kind: "message", code: "too_large" } };
    expect(outcomes).toMatchObject([large, large, PUBLISHED]);
  });

  test("a full stream is the fault of the route, and order is kept", async () => {
    const side = await openOwnSide({ max_msgs: 1, discard: DiscardPolicy.New });
    const sink = openSink(broker().url, side.prefix);
    const outcomes = await sink.publish([makeMessage(1), makeMessage(2), makeMessage(3)], never);
    expect(outcomes).toMatchObject([PUBLISHED, { failure: { kind: "route", code: "throttled" } }, ABORTED]);
    expect((await side.received()).map(({ id }) => id)).toEqual([makeMessage(1).eventId]);
  });

  test("after a refusal nothing of that aggregate arrives, and the other aggregates arrive in order", async () => {
    const side = await openOwnSide();
    const sink = openSink(broker().url, side.prefix);
    const messages = Array.from({ length: 100 }, (_, n) =>
      makeMessage(n, { aggregateId: `a${n % 4}`, topic: n === 40 ? "parcels" : "orders" }),
    );
    const outcomes = await sink.publish(messages, never);
    const arrived = (await side.received()).map(({ id }) => Number(id?.slice(-12)));
    for (const lane of [1, 2, 3]) {
      expect(arrived.filter((n) => n % 4 === lane)).toEqual(messages.map((_, n) => n).filter((n) => n % 4 === lane));
    }
    expect(arrived.filter((n) => n % 4 === 0)).toEqual([0, 4, 8, 12, 16, 20, 24, 28, 32, 36]);
    expect(outcomes[40]).toMatchObject({ failure: { code: "unroutable" } });
  });

  test("an answer from a responder that is not a stream is no confirmation", async () => {
    const side = await openOwnSide();
    side.connection.subscribe(`${side.prefix}.service`, { callback: (_, message) => void message.respond("hello") });
    await side.connection.flush();
    const [outcome] = await openSink(broker().url, side.prefix).publish([makeMessage(1, { topic: "service" })], never);
    expect(outcome).toMatchObject({ failure: { kind: "ambiguous", code: "unknown" } });
  });

  test("describes itself by its servers", () => {
    const sink = openSink("nats://user:secret@nats.internal:4222", "x");
    expect(sink.describe()).toEqual({ kind: "nats", address: "nats://nats.internal:4222" });
  });
});
