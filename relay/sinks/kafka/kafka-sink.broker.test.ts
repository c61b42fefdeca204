import { compressionsAlgorithms } from "@platformatic/kafka";
import { afterEach, describe, expect, test, vi } from "vitest";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import { waitFor } from "#tests/wait-for.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { describeRemoteSinkConformance } from "../sink.conformance.ts";
import { ABORTED, PUBLISHED, type Sink } from "../sink.ts";
import { kafkaUnderTest, routeTo } from "./kafka-broker.fixture.ts";
import { partitionOfKey } from "./murmur2.ts";

const kafka = kafkaUnderTest();
const never = new AbortController().signal;
const LARGE = { "max.message.bytes": "12000000" };

describeRemoteSinkConformance("kafka", async () => {
  const topic = await kafka().createTopic({ configs: LARGE });
  const sink = kafka().sink({ route: routeTo(topic), maxMessageBytes: 12_000_000 });
  // Without answers the sink cannot learn of a topic, so it must know this one beforehand.
  const met = makeMessage(999_999);
  expect(await sink.publish([met], never)).toEqual([PUBLISHED]);
  return {
    sink,
    received: async () =>
      (await kafka().read(topic)).filter(({ id }) => id !== met.id).map(({ id, body }) => ({ id, body: body ?? "" })),
    stopConfirming: () => kafka().proxy.swallowAnswers(),
    takeDown: async () => {
      await kafka().proxy.refuse();
      // Bytes written to a socket before its reset is read might have arrived.
      await waitFor(async () => (await sink.check()) !== null, { message: "the sink has noticed" });
    },
    close: async () => undefined,
  };
});

describe("a kafka sink", () => {
  let sink: Sink;
  const open = (fields: Parameters<ReturnType<typeof kafka>["sink"]>[0]) => {
    sink = kafka().sink(fields);
    return sink;
  };
  afterEach(() => sink.close());

  test("sends keys to the partitions that Java would choose, headers in order, and null as a tombstone", async () => {
    const topic = await kafka().createTopic({ partitions: 7 });
    open({
      route: routeTo(topic, [
        ["twice", "1"],
        ["twice", "2"],
        ["näme", "漢字 😀"],
      ]),
    });
    const keys = ["a", "abcd", "order-1", "Zoë 漢字 😀"];
    const messages = keys.map((aggregateId, n) => makeMessage(n, { aggregateId, payload: n === 0 ? null : "" }));
    expect(await sink.publish(messages, never)).toEqual(messages.map(() => PUBLISHED));
    for (const record of await kafka().read(topic)) {
      expect(record.partition).toBe(partitionOfKey(Buffer.from(record.key ?? ""), 7));
      expect(record.body).toBe(record.key === "a" ? null : "");
      expect(record.headers.slice(1)).toEqual([
        ["twice", "1"],
        ["twice", "2"],
        ["näme", "漢字 😀"],
      ]);
    }
  });

  test("reports missing topics without creating them", async () => {
    const [topic, nowhere] = [await kafka().createTopic(), uniqueName("nowhere")];
    open({ route: routeTo(topic) });
    for (const _ of [1, 2]) {
      const missing = (await sink.missingTopics?.([topic, nowhere, "no topic"])) ?? [];
      expect(missing.map((one) => one.topic)).toEqual(["no topic", nowhere]);
      expect(missing[1]?.message).toContain(`there is no topic ${nowhere}`);
      expect(missing[1]?.fix).toContain(`--create --topic ${nowhere}`);
    }
  });

  test("messages without a key arrive, and bytes stay bytes", async () => {
    const topic = await kafka().createTopic();
    open({ route: routeTo(topic) });
    const loose = [1, 2].map((n) => makeMessage(n, { aggregateId: null, aggregateKey: null }));
    const bytes = makeMessage(3, { payload: Buffer.from("plain").toString("base64"), payloadKind: "binary" });
    expect(await sink.publish([...loose, bytes], never)).toEqual([PUBLISHED, PUBLISHED, PUBLISHED]);
    const records = await kafka().read(topic);
    expect(records.filter(({ key }) => key === null).map(({ body }) => body)).toEqual(['{"n":1}', '{"n":2}']);
    expect(records.find(({ key }) => key === "a")?.body).toBe("plain");
  });

  test.each(["gzip", "snappy", "lz4", "zstd"] as const)("%s is accepted by the broker", async (compression) => {
    const topic = await kafka().createTopic({ partitions: 1 });
    open({ route: routeTo(topic), compression });
    const messages = Array.from({ length: 50 }, (_, n) => makeMessage(n));
    expect(await sink.publish(messages, never)).toEqual(messages.map(() => PUBLISHED));
    expect((await kafka().read(topic)).map(({ id }) => id)).toEqual(messages.map(({ eventId }) => eventId));
  });

  test("a batch that cannot be compressed is an environment failure, and the next one goes out", async () => {
    const topic = await kafka().createTopic({ partitions: 1 });
    open({ route: routeTo(topic), compression: "gzip" });
    const compress = vi.spyOn(compressionsAlgorithms.gzip, "compress").mockImplementationOnce(() => {
      throw new Error("no such codec");
    });
    const [outcome] = await sink.publish([makeMessage(1)], never);
    expect(outcome).toMatchObject({ kind: "failed", failure: { code: "unavailable", kind: "environment" } });
    expect(await sink.publish([makeMessage(1)], never)).toEqual([PUBLISHED]);
    compress.mockRestore();
  });

  test("keeps the order of every key over concurrent calls", async () => {
    const topic = await kafka().createTopic();
    open({ route: routeTo(topic) });
    const call = async (prefix: string) => {
      for (let batch = 0; batch < 5; batch += 1) {
        const messages = Array.from({ length: 300 }, (_, n) =>
          makeMessage(batch * 300 + n, { aggregateId: `${prefix}${n % 20}` }),
        );
        expect(new Set(await sink.publish(messages, never))).toEqual(new Set([PUBLISHED]));
      }
    };
    await Promise.all([call("x"), call("y"), call("z")]);
    const records = await kafka().read(topic);
    expect(records).toHaveLength(4500);
    for (const run of Map.groupBy(records, ({ key }) => key).values()) {
      const ids = run.map(({ id }) => id ?? "");
      expect(ids).toEqual(ids.toSorted());
    }
  });

  test("a topic that does not exist is the fault of the route, an illegal name that of the message, and others go on", async () => {
    const topic = await kafka().createTopic();
    open({ route: routeTo((message) => message.topic ?? topic) });
    const lost = makeMessage(1, { topic: "nowhere", aggregateId: "b" });
    const illegal = makeMessage(2, { topic: "not/legal", aggregateId: "c" });
    const outcomes = await sink.publish([lost, illegal, makeMessage(3)], never);
    expect(outcomes[0]).toMatchObject({ failure: { kind: "route", code: "unroutable" } });
    expect(outcomes[1]).toMatchObject({ failure: { kind: "message", code: "unroutable" } });
    expect(outcomes[2]).toEqual(PUBLISHED);
  });

  test("a topic created shortly afterwards is found", async () => {
    const topic = await kafka().createTopic();
    let name = "not-yet-there";
    open({ route: routeTo(() => name) });
    expect(await sink.publish([makeMessage(1)], never)).toMatchObject([{ kind: "failed" }]);
    name = topic;
    expect(await sink.publish([makeMessage(1)], never)).toEqual([PUBLISHED]);
  });

  test("a message over the sink's limit is not sent, and later ones of its key are withheld", async () => {
    const topic = await kafka().createTopic();
    open({ route: routeTo(topic), maxMessageBytes: 1_000 });
    const large = makeMessage(2, { payload: "x".repeat(1_000) });
    const outcomes = await sink.publish(
      [makeMessage(1), large, makeMessage(3), makeMessage(4, { aggregateId: "b" })],
      never,
    );
    expect(outcomes[1]).toMatchObject({ failure: { kind: "message", code: "too_large" } });
    expect([outcomes[0], outcomes[2], outcomes[3]]).toEqual([PUBLISHED, ABORTED, PUBLISHED]);
    expect((await kafka().read(topic)).map(({ id }) => id)).toHaveLength(2);
  });

  test("when the broker refuses a batch, only the record to blame and later ones of its key fail", async () => {
    const topic = await kafka().createTopic({ partitions: 1, configs: { "max.message.bytes": "20000" } });
    open({ route: routeTo(topic) });
    const messages = Array.from({ length: 400 }, (_, n) =>
      makeMessage(n, { aggregateId: `k${n % 10}`, payload: "x".repeat(n === 123 || n === 124 ? 30_000 : 200) }),
    );
    const outcomes = await sink.publish(messages, never);
    const behind = (n: number) => n > 124 && (n % 10 === 3 || n % 10 === 4);
    for (const [n, outcome] of outcomes.entries()) {
      if (n === 123 || n === 124) expect(outcome).toMatchObject({ failure: { kind: "message", code: "too_large" } });
      else expect(outcome).toEqual(behind(n) ? ABORTED : PUBLISHED);
    }
    const arrived = await kafka().read(topic);
    expect(arrived).toHaveLength(outcomes.filter(({ kind }) => kind === "published").length);
    for (const run of Map.groupBy(arrived, ({ key }) => key).values()) {
      const ids = run.map(({ id }) => id ?? "");
      expect(ids).toEqual(ids.toSorted());
    }
    expect(await sink.publish([makeMessage(500)], never)).toEqual([PUBLISHED]);
  });

  test("only the record that breaks the topic's rules is rejected", async () => {
    const topic = await kafka().createTopic({ partitions: 1, configs: { "cleanup.policy": "compact" } });
    open({ route: routeTo(topic) });
    const keyless = makeMessage(2, { aggregateId: null, aggregateKey: null });
    const outcomes = await sink.publish([makeMessage(1), keyless, makeMessage(3)], never);
    expect([outcomes[0], outcomes[2]]).toEqual([PUBLISHED, PUBLISHED]);
    expect(outcomes[1]).toMatchObject({ failure: { kind: "message", code: "rejected" } });
  });

  test("an aggregate routed to two topics stays in order, and stops at a failure", async () => {
    const [first, second] = [await kafka().createTopic(), await kafka().createTopic()];
    open({ route: routeTo((message) => message.topic ?? first) });
    const messages = [1, 2, 3, 4].map((n) => makeMessage(n, { topic: n === 3 ? "nowhere" : n === 2 ? second : first }));
    const outcomes = await sink.publish(messages, never);
    expect([outcomes[0], outcomes[1], outcomes[3]]).toEqual([PUBLISHED, PUBLISHED, ABORTED]);
    expect(outcomes[2]).toMatchObject({ failure: { code: "unroutable" } });
  });

  test("reports whether a broker is reachable, and the addresses tried", async () => {
    open({ route: routeTo("t"), brokers: ["user:secret@127.0.0.1:1", "127.0.0.1:2"] });
    expect(sink.describe()).toEqual({ kind: "kafka", address: "127.0.0.1:1,127.0.0.1:2" });
    expect(await sink.check()).toMatchObject({ kind: "environment", code: "unreachable" });
    await sink.close();
    open({ route: routeTo("t") });
    expect(await sink.check()).toBeNull();
  });
});
