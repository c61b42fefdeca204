import { createHmac } from "node:crypto";
import { Reader, readRecordsBatch } from "@platformatic/kafka";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OutgoingMessage } from "../../db/stores/port/relay/outgoing-message.ts";
import { createRouter } from "../../relay/routing/create-router.ts";
import type { Routed } from "../../relay/routing/router.ts";
import { createHttpSink } from "../../relay/sinks/http/http-sink.ts";
import { encodeBatch, toRecord } from "../../relay/sinks/kafka/record-batch.ts";
import { prepare as prepareNats } from "../../relay/sinks/nats/nats-message.ts";
import { prepare as prepareRabbit } from "../../relay/sinks/rabbitmq/envelope.ts";
import { streamEntry } from "../../relay/sinks/redis/stream-entry.ts";
import { makeMessage } from "../../relay/testing/make-message.fixture.ts";
import { configSchema } from "../../services/config/config-schema.ts";
import { relaySchema } from "../../services/config/relay-schema.ts";
import { type HttpReceiver, startHttpReceiver } from "../../tests/http-receiver.ts";
import { isClientError } from "../errors.ts";
import { headersOf } from "../outbox/headers.ts";
import { fromKafka, fromNats, fromRabbit, fromRedis } from "./from-brokers.ts";
import { fromHttp, fromHttpBatch } from "./from-http.ts";
import type { ReceivedMessage } from "./received-message.ts";

const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const SENT = makeMessage(1, {
  aggregateId: "ord-7 é",
  payload: '{"total": 1.10, "big": 9007199254740993, "note": "漢 %"}',
  headers: JSON.stringify({ "event-version": "2", "event-sequence": "5", traceparent: TRACE }),
});
/** Headers that \`add\` accepts, in its own words. */
const GIVEN = { "tenant-id": "Zoë 漢字 🎈", "X-B3-TraceId": "", a_b: "50 %\t\"'\\", id: "1", type: "2", keys: "3" };
const WITH_HEADERS = { ...SENT, headers: headersOf(GIVEN, { "event-version": "2", "event-sequence": "5" }) };
const {
  id: _,
  type: __,
  ...ARRIVED
} = Object.fromEntries(Object.entries(GIVEN).map(([name, value]) => [name.toLowerCase(), value]));
const PRESETS = ["plain", "cloudevents binary", "cloudevents structured"] as const;

function route(preset: string, kind: "kafka" | "rabbitmq" | "nats" | "redis" | "http") {
  const [name, mode] = preset.split(" ");
  const config = relaySchema.parse({ sink: "s", route: { preset: name, ...(mode ? { mode } : {}) } }).route;
  return createRouter({ config, outbox: "orders", sinkKind: kind });
}

function routed(preset: string, kind: Parameters<typeof route>[1], message: OutgoingMessage = SENT): Routed {
  const result = route(preset, kind)(message);
  if ("failure" in result) throw new Error(result.failure.message);
  return result.routed;
}

/** Each transport's own encoder, and what its client hands to a consumer. */
const VIA: Record<string, (preset: string, message?: OutgoingMessage) => Promise<ReceivedMessage>> = {
  kafka: async (preset, message) => {
    const record = toRecord(routed(preset, "kafka", message));
    const identity = { producerId: 1n, epoch: 0 };
    const batch = await encodeBatch({ records: [record], identity, sequence: 0, compression: "none" });
    const [{ key, value, headers } = { key: null, value: null, headers: [] }] = readRecordsBatch(
      Reader.from(batch),
    ).records;
    return fromKafka({ key, value, headers: new Map(headers as [Buffer, Buffer][]) });
  },
  rabbitmq: async (preset, message = SENT) => {
    const prepared = prepareRabbit(message, routed(preset, "rabbitmq", message), { exchange: "x", frameMax: 100_000 });
    if (!("envelope" in prepared)) throw new Error(prepared.message);
    const { messageId, contentType, headers } = prepared.envelope;
    return fromRabbit({ content: prepared.body, properties: { messageId, contentType, headers: headers ?? {} } });
  },
  nats: async (preset, message = SENT) => {
    const prepared = prepareNats(message.eventId, routed(preset, "nats", message));
    if (!("headers" in prepared)) throw new Error(prepared.message);
    return fromNats({ data: Buffer.from(prepared.body), headers: prepared.headers });
  },
  redis: async (preset, message) => fromRedis(streamEntry(routed(preset, "redis", message)).map(String)),
};

const EXPECTED = {
  id: SENT.eventId,
  type: "order.changed",
  version: 2,
  sequence: 5,
  aggregateId: "ord-7 é",
  payload: { total: 1.1, big: 9007199254740992, note: "漢 %" },
  replay: null,
};

describe.each(Object.keys(VIA))("what the relay sends over %s", (kind) => {
  test.each(PRESETS)("is read with preset %s", async (preset) => {
    const message = await VIA[kind]?.(preset);
    expect(message).toMatchObject(EXPECTED);
    expect(message?.headers.traceparent).toBe(TRACE);
    expect(new Date(message?.createdAt ?? "").getTime()).toBe(Date.parse("2026-03-01T10:00:00.123Z"));
    if (!preset.endsWith("structured")) expect(message?.text).toBe(SENT.payload);
  });

  test.each(PRESETS)(
    "has the headers that add accepts with preset %s, and they change nothing else",
    async (preset) => {
      const message = await VIA[kind]?.(preset, WITH_HEADERS);
      expect(message).toMatchObject({ ...EXPECTED, headers: ARRIVED });
    },
  );

  test("is read with preset debezium, which says no type", async () => {
    const message = await VIA[kind]?.("debezium");
    expect(message).toMatchObject({
      ...EXPECTED,
      type: null,
      ...(kind === "nats" || kind === "rabbitmq" ? { aggregateId: null } : {}),
    });
  });

  test.each(["plain", "cloudevents binary"])(
    "is read with preset %s if the payload is a CloudEvent itself",
    async (preset) => {
      const event = {
        specversion: "1.0",
        id: "of-another",
        source: "/shop",
        type: "com.shop.placed",
        data: { total: 1 },
      };
      for (const id of ["of-another", SENT.eventId]) {
        const payload = { ...event, id };
        const message = await VIA[kind]?.(preset, { ...SENT, payload: JSON.stringify(payload) });
        expect(message).toMatchObject({ ...EXPECTED, payload });
      }
    },
  );

  test("says of a message that is re-published which operation sent it", async () => {
    expect((await VIA[kind]?.("plain", { ...SENT, replay: "op-1" }))?.replay).toBe("op-1");
  });
});

test("a type that the transport does not say comes from the reader's options", () => {
  const { key, headers, body } = routed("debezium", "kafka");
  const record = { key, value: String(body), headers: Object.fromEntries(headers) };
  expect(fromKafka(record, { type: "order.changed" }).type).toBe("order.changed");
  expect(fromKafka(record, { type: ({ id }) => `type of ${id}` }).type).toBe(`type of ${SENT.eventId}`);
});

test("headers with the names of an object's own members arrive", () => {
  const headers = { id: "e-1", constructor: "a", toString: "b" };
  expect(fromKafka({ value: "{}", headers }, { type: () => "t" }).headers).toMatchObject({
    constructor: "a",
    tostring: "b",
  });
});

test("a number under another name comes from the reader's options, and what is no number is none", () => {
  const read = (text: string, sequence?: string) =>
    fromKafka({ value: "{}", headers: { id: "e-1", aggregateVersion: text } }, sequence ? { sequence } : {}).sequence;
  expect(read("7", "aggregateVersion")).toBe(7);
  expect(["", "0", "-1", "1.5", "7e2", "9007199254740993"].map((text) => read(text, "aggregateVersion"))).toEqual(
    Array(6).fill(null),
  );
  expect(read("7")).toBeNull();
});

test("a tombstone has no payload", () => {
  const { key, headers } = routed("plain", "kafka", { ...SENT, payload: null });
  expect(fromKafka({ key, value: null, headers: Object.fromEntries(headers) })).toMatchObject({
    payload: null,
    text: null,
  });
});

test("a schema that Kafka Connect puts around the payload is taken off", () => {
  const value = JSON.stringify({ schema: { type: "string", optional: false }, payload: '{"total":1}' });
  expect(fromKafka({ value, headers: { id: "e-1", eventType: "order.placed" } })).toMatchObject({
    id: "e-1",
    type: "order.placed",
    payload: { total: 1 },
  });
});

test("a schema that Kafka Connect puts around the key is taken off", () => {
  const read = (key: string) => fromKafka({ key, value: "{}", headers: { id: "e-1" } }).aggregateId;
  expect(read(JSON.stringify({ schema: { type: "string", optional: false }, payload: "o-1" }))).toBe("o-1");
  const structured = JSON.stringify({ schema: { type: "struct" }, payload: { id: "o-1" } });
  expect(read(structured)).toBe(structured);
});

test("of an expanded payload of Kafka Connect there is no text, because its digits are lost", () => {
  const value = '{"schema":{"type":"struct"},"payload":{"total":12345678901234567890}}';
  const message = fromKafka({ value, headers: { id: "e-1" } });
  expect(message).toMatchObject({ payload: { total: expect.any(Number) }, text: null });
});

test.each(["", " 1", "0x1", "1e1", "-1", "1.0"])("the version %j is none", (version) => {
  expect(fromKafka({ value: "{}", headers: { id: "e-1", "event-version": version } }).version).toBeNull();
});

test.each<[string, () => unknown, RegExp]>([
  ["an entry of node-redis", () => fromRedis({ id: "1-0", message: { event_id: "e-1" } } as never), /pass its message/],
  ["an entry of Redis", () => fromRedis(["1-0", ["event_id", "e-1"]] as never), /pass its second element/],
  ["NATS without data", () => fromNats({} as never), /fromNats needs .* with its data/],
  [
    "RabbitMQ without properties",
    () => fromRabbit({ content: Buffer.from("{}"), properties: null } as never),
    /with its properties/,
  ],
  ["http without headers", () => fromHttp({ body: "{}" } as never, { secret: null }), /Pass the request's headers/],
])("what is no message is refused with what to pass: %s", (_, read, expected) => {
  expect(read).toThrow(expected);
  expect(read).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("JSON that rabbitmq-client has parsed is a payload, without its text", () => {
  const message = {
    body: { total: 1 },
    contentType: "application/json",
    messageId: "e-1",
    headers: { event_type: "t" },
  };
  expect(fromRabbit(message)).toMatchObject({ id: "e-1", type: "t", payload: { total: 1 }, text: null });
});

test("a message without an id is refused", () => {
  expect(() => fromKafka({ value: "{}", headers: {} })).toThrow(/no id/);
});

describe("what the relay sends over http", () => {
  const SECRET = "whsec_c2VjcmV0IG9mIHRoZSB0ZXN0";
  let receiver: HttpReceiver;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
  });
  afterAll(() => receiver.close());

  function signedRequest(body: string, headers: Record<string, string>) {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
    const signature = createHmac("sha256", key).update(`signed.${timestamp}.${body}`).digest("base64");
    const signed = { "webhook-id": "signed", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
    return { headers: { ...headers, ...signed }, body };
  }

  async function send(preset: string, messages: OutgoingMessage[] = [SENT]) {
    const { sinks } = configSchema.parse({
      sinks: { hook: { kind: "http", url: receiver.url, secret: `an-older-one ${SECRET}`, batch: messages.length } },
    });
    if (sinks.hook?.kind !== "http") throw new Error("expected an http sink");
    const sink = createHttpSink({ config: sinks.hook, concurrency: 1, route: route(preset, "http") });
    const before = receiver.requests.length;
    await sink.publish(messages, new AbortController().signal);
    await sink.close();
    const request = receiver.requests[before];
    if (!request) throw new Error("nothing was sent");
    return request;
  }

  test.each(PRESETS)(
    "has the headers that add accepts with preset %s, and they change nothing else",
    async (preset) => {
      const message = fromHttp(await send(preset, [WITH_HEADERS]), { secret: SECRET });
      expect(message).toMatchObject({ ...EXPECTED, headers: ARRIVED });
    },
  );

  test.each(PRESETS)("is read with preset %s", async (preset) => {
    const message = fromHttp(await send(preset), { secret: SECRET });
    expect(message).toMatchObject(EXPECTED);
    expect(message.headers.traceparent).toBe(TRACE);
  });

  test("a batch is read in its order", async () => {
    const request = await send("plain", [SENT, makeMessage(2), makeMessage(3)]);
    const messages = fromHttpBatch(request, { secret: SECRET });
    expect(messages[0]).toMatchObject(EXPECTED);
    expect(messages.map(({ id }) => id)).toEqual([1, 2, 3].map((n) => makeMessage(n).eventId));
    expect(() => fromHttp(request, { secret: SECRET })).toThrow(/fromHttpBatch/);
  });

  test.each(["batch_7", `batch_${"a".repeat(32)}`])("an event with the id %s is no batch", async (eventId) => {
    expect(fromHttp(await send("plain", [{ ...SENT, eventId }]), { secret: SECRET })).toMatchObject({
      ...EXPECTED,
      id: eventId,
    });
  });

  test("a body that was parsed is refused with what to pass instead", async () => {
    const { headers, body } = await send("plain");
    const parsed = { headers, body: JSON.parse(String(body)) };
    for (const secret of [SECRET, null]) expect(() => fromHttp(parsed, { secret })).toThrow(/raw body/);
  });

  test("a batch of CloudEvents is read in its order", async () => {
    const messages = fromHttpBatch(await send("cloudevents structured", [SENT, makeMessage(2)]), { secret: SECRET });
    expect(messages.map(({ id, type }) => [id, type])).toEqual(
      [1, 2].map((n) => [makeMessage(n).eventId, "order.changed"]),
    );
  });

  test("a recorded request keeps its id, whatever headers it is sent again with", async () => {
    const { headers, body } = await send("plain");
    const event = JSON.stringify({ id: "order-7", items: [{ id: "another" }] });
    const ids = [
      fromHttp({ headers: { ...headers, event_id: "another" }, body }, { secret: SECRET }),
      ...["application/cloudevents+json", "application/cloudevents-batch+json"].flatMap((contentType) =>
        fromHttpBatch(
          signedRequest(contentType.includes("batch") ? `[${event}]` : event, { "content-type": contentType }),
          { secret: SECRET },
        ),
      ),
    ].map(({ id }) => id);
    expect(ids).toEqual([SENT.eventId, "signed", "signed"]);
  });

  test("headers are read from whatever lists them, such as another library's Headers", async () => {
    const { headers, body } = await send("plain");
    const list = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const others = { [Symbol.iterator]: () => list[Symbol.iterator]() } as unknown as Headers;
    for (const given of [others, new Headers(list), new Map(list)])
      expect(fromHttp({ headers: given, body }, { secret: SECRET }).id).toBe(SENT.eventId);
  });

  test("a secret without a key is refused", () => {
    expect(() => fromHttp({ headers: {}, body: "" }, { secret: "whsec_" })).toThrow(/secret is empty/);
  });

  test("without the secret, and with another body or an old time, it is refused", async () => {
    const { headers, body } = await send("plain");
    const isBad = (error: unknown) => isClientError(error, "bad_signature");
    const refusals = [
      () => fromHttp({ headers, body }, { secret: "another" }),
      () => fromHttp({ headers, body: `${body} ` }, { secret: SECRET }),
      () => fromHttp({ headers: { ...headers, "webhook-timestamp": "1700000000" }, body }, { secret: SECRET }),
      () => fromHttp({ headers: { ...headers, "webhook-signature": undefined }, body }, { secret: SECRET }),
    ].map((read) => {
      try {
        return read();
      } catch (error) {
        return isBad(error);
      }
    });
    expect(refusals).toEqual([true, true, true, true]);
  });
});
