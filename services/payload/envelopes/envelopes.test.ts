import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decodedPayloadSchema } from "#contracts/message/payloads.ts";
import { decode, factsOf, fieldsOf } from "../decode.fixture.ts";

const BODY = '{"ledger_ref": 9007199254740993, "total": 12.10}';
const inJson = (value: string) => decode(value, { kind: "json" });

describe("a CloudEvent", () => {
  const event = (more: string) =>
    inJson(`{"specversion": "1.0", "id": "e-1", "source": "/shop", "type": "order.placed.v2", ${more}}`);

  test("is unfolded to its data, with attributes and extensions as facts", async () => {
    const decoded = await event(`"time": "2026-11-23T03:03:03Z", "tenant": "acme", "data": ${BODY}`);
    expect(decoded.chain).toEqual(["column", "CloudEvents 1.0", "JSON"]);
    expect(factsOf(decoded)).toEqual({
      type: "order.placed.v2",
      id: "e-1",
      source: "/shop",
      time: "2026-11-23T03:03:03Z",
      tenant: "acme",
    });
    expect(decoded.body).toEqual({ kind: "json", text: BODY });
  });

  test("with data in base64 is unfolded to the bytes", async () => {
    const decoded = await event(`"data_base64": "${Buffer.from(BODY).toString("base64")}"`);
    expect(decoded.body).toEqual({ kind: "json", text: BODY });
  });

  test("whose data_base64 is no base64 keeps it as the text that it is", async () => {
    expect((await event('"data_base64": "not base64!"')).body).toEqual({ kind: "text", text: "not base64!" });
  });

  test("with a dataref shows the claim check", async () => {
    const decoded = await event('"dataref": "gs://acme/events/1"');
    expect(decoded.references).toEqual([{ place: "Google Cloud Storage", address: "gs://acme/events/1" }]);
    expect(decoded.body).toEqual({ kind: "json", text: "null" });
  });

  test("needs its required attributes", async () => {
    const decoded = await inJson(`{"specversion": "1.0", "id": "e-1", "data": ${BODY}}`);
    expect(decoded.chain).toEqual(["column", "JSON"]);
  });
});

test("MassTransit: facts, the message, and references in it", async () => {
  const message = '{"total": 12.10, "photo": {"data-ref": "urn:msgdata:abc"}}';
  const decoded = await inJson(
    `{"messageId": "m-1", "correlationId": null, "messageType": ["urn:message:Acme:OrderPlaced", "urn:message:Acme:IEvent"],
      "message": ${message}, "sentTime": "2026-11-23T03:03:03.1234567Z", "headers": {"Tenant": "acme"}}`,
  );
  expect(decoded.chain).toEqual(["column", "MassTransit", "JSON"]);
  expect(factsOf(decoded)).toEqual({
    type: "Acme:OrderPlaced",
    also: "Acme:IEvent",
    id: "m-1",
    time: "2026-11-23T03:03:03.1234567Z",
    headers: '{"Tenant": "acme"}',
  });
  expect(decoded.body).toEqual({ kind: "json", text: message });
  expect(decoded.references).toEqual([{ place: "MassTransit message data", address: "urn:msgdata:abc" }]);
});

test("CAP: headers as facts, the value", async () => {
  const decoded = await inJson(
    `{"Headers": {"cap-callback-name": null, "cap-msg-id": "9027127011260612609", "cap-msg-name": "order.placed", "tenant": "acme"}, "Value": ${BODY}}`,
  );
  expect(decoded.chain).toEqual(["column", "CAP", "JSON"]);
  expect(factsOf(decoded)).toEqual({ name: "order.placed", id: "9027127011260612609", tenant: "acme" });
  expect(decoded.body).toEqual({ kind: "json", text: BODY });
});

describe("NServiceBus", () => {
  const HEADERS =
    '{"NServiceBus.MessageId": "m-1", "NServiceBus.EnclosedMessageTypes": "Acme.OrderPlaced, Acme, Version=1.0.0.0", "Tenant": "acme"}';

  test("headers in their column: facts, and all of them below", async () => {
    const decoded = await inJson(HEADERS);
    expect(decoded.chain).toEqual(["column", "NServiceBus headers", "JSON"]);
    expect(factsOf(decoded)).toEqual({ type: "Acme.OrderPlaced, Acme, Version=1.0.0.0", id: "m-1" });
    expect(decoded.body).toEqual({ kind: "json", text: HEADERS });
  });

  test("the outbox table's only operation is unfolded to its body", async () => {
    const body = Buffer.from(BODY).toString("base64");
    const decoded = await inJson(`[{"MessageId": "m-1", "Headers": ${HEADERS}, "Options": {}, "Body": "${body}"}]`);
    expect(decoded.chain).toEqual(["column", "list of one", "NServiceBus operation", "JSON"]);
    expect(decoded.body).toEqual({ kind: "json", text: BODY });
  });

  test("a body with $type shows it, with every number as written", async () => {
    const decoded = await inJson('{"$type": "Acme.OrderPlaced, Acme", "total": 12.10}');
    expect(factsOf(decoded)).toEqual({ type: "Acme.OrderPlaced, Acme" });
    expect(decoded.body).toEqual({ kind: "json", text: '{"$type": "Acme.OrderPlaced, Acme", "total": 12.10}' });
  });
});

test("Debezium behind Kafka Connect's schema: facts, the row before and after", async () => {
  const decoded = await inJson(
    `{"schema": {"type": "struct", "name": "shop.Envelope"}, "payload": {"before": null, "after": ${BODY}, "op": "c", "ts_ms": 1763866983000,
      "source": {"connector": "postgresql", "version": "3.7.0.Final", "db": "shop", "schema": "public", "table": "orders", "lsn": 24023128}}}`,
  );
  expect(decoded.chain).toEqual(["column", "Kafka Connect JSON with schema", "Debezium change event", "JSON"]);
  expect(factsOf(decoded)).toMatchObject({ operation: "create", table: "shop.public.orders", lsn: "24023128" });
  expect(decoded.body).toEqual({ kind: "json", text: `{"before":null,"after":${BODY}}` });
});

test("Celery as Kombu stores it: the task, and its arguments out of base64", async () => {
  const body = Buffer.from('[[1], {"order": 2}, {}]').toString("base64");
  const decoded = await inJson(
    `{"body": "${body}", "content-encoding": "utf-8", "content-type": "application/json", "headers": {"lang": "py", "task": "shop.place", "id": "t-1"}, "properties": {"body_encoding": "base64"}}`,
  );
  expect(decoded.chain).toEqual(["column", "Celery", "JSON"]);
  expect(factsOf(decoded)).toMatchObject({ task: "shop.place", id: "t-1", lang: "py" });
  expect(decoded.body).toEqual({ kind: "json", text: '[[1], {"order": 2}, {}]' });
});

test("FastStream and Laravel are unfolded", async () => {
  const stream = await inJson(
    `{"data": ${BODY}, "headers": {"correlation_id": "c-1", "content-type": "application/json"}}`,
  );
  expect(stream.chain).toEqual(["column", "FastStream", "JSON"]);
  const command = JSON.stringify('O:9:"App\\Order":1:{s:2:"id";i:5;}');
  const job = await inJson(
    `{"uuid": "u-1", "displayName": "App\\\\Order", "job": "CallQueuedHandler@call", "data": {"command": ${command}}}`,
  );
  expect(job.chain).toEqual(["column", "Laravel job", "PHP serialize"]);
  expect(fieldsOf(job)).toEqual({ class: "App\\Order", id: { value: "5" } });
});

test("Wolverine's binary envelope: headers as facts, then the body", async () => {
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  const headers = ["message-type", "Acme.OrderPlaced", "id", "018f6c2e", "content-type", "application/json"];
  const head = Buffer.alloc(12);
  // 2026-11-23T03:03:03.1234567Z as DateTime.ToBinary() of UTC.
  head.writeBigUInt64LE(
    (BigInt(Date.UTC(2026, 10, 23, 3, 3, 3)) * 10_000n + 621355968000000000n + 1234567n) | (1n << 62n),
  );
  head.writeInt32LE(3, 8);
  const length = Buffer.alloc(4);
  length.writeInt32LE(BODY.length);
  const envelope = Buffer.concat([head, ...headers.map(text), length, Buffer.from(BODY)]);
  const decoded = await decode(envelope);
  expect(decoded.chain).toEqual(["column", "Wolverine", "JSON"]);
  expect(factsOf(decoded)).toMatchObject({ type: "Acme.OrderPlaced", sent: "2026-11-23T03:03:03.1234567Z" });
  expect(decoded.body).toEqual({ kind: "json", text: BODY });
  expect((await decode(envelope.subarray(0, -1))).body.kind).toBe("unknown");
});

test.each([
  [
    '["software.amazon.payloadoffloading.PayloadS3Pointer",{"s3BucketName":"b","s3Key":"k/1"}]',
    "Amazon S3",
    "s3://b/k/1",
  ],
  ["s3://bucket/key", "Amazon S3", "s3://bucket/key"],
  ['"gs://bucket/key"', "Google Cloud Storage", "gs://bucket/key"],
  ["https://acme.blob.core.windows.net/c/b.json", "Azure Blob Storage", "https://acme.blob.core.windows.net/c/b.json"],
  ["urn:msgdata:0980", "MassTransit message data", "urn:msgdata:0980"],
])("%s is a claim check", async (text, place, address) => {
  expect((await decode(text)).references).toEqual([{ place, address }]);
});

test("an ordinary address, or a reference inside a sentence, is no claim check", async () => {
  for (const text of ["https://example.test/c/b.json", "see s3://bucket/key for more", "s3://bucket"])
    expect((await decode(text)).references).toEqual([]);
});

describe("the key data-ref", () => {
  const references = async (json: string) => (await inJson(json)).references;

  test("outside MassTransit is a claim check only before an address of a known place", async () => {
    expect(await references('{"data-ref": "row-7"}')).toEqual([]);
    expect(await references('{"html": {"data-ref": "https://example.test/help"}}')).toEqual([]);
    expect(await references('{"a": {"data-ref": "urn:msgdata:1"}, "b": {"data-ref": "s3://bucket/key"}}')).toEqual([
      { place: "MassTransit message data", address: "urn:msgdata:1" },
      { place: "Amazon S3", address: "s3://bucket/key" },
    ]);
  });

  test("inside MassTransit is message data at any address, each listed once", async () => {
    const photo = '{"data-ref": "https://acme.blob.core.windows.net/data/1"}';
    const message = `{"a": ${photo}, "b": ${photo}, "c": {"data-ref": "custom/2"}}`;
    expect(await references(`{"messageType": ["urn:message:Acme:Order"], "message": ${message}}`)).toEqual([
      { place: "MassTransit message data", address: "https://acme.blob.core.windows.net/data/1" },
      { place: "MassTransit message data", address: "custom/2" },
    ]);
  });
});

test("a notice that two layers have is said once", async () => {
  const bomb = gzipSync(Buffer.alloc(6_000_000));
  const { notices } = await decode(gzipSync(Buffer.concat([bomb, Buffer.alloc(6_000_000)])));
  expect(notices).toEqual([
    "Decompression stopped at 5 MB; the content is longer.",
    "Binary formats are recognised up to 500 kB; these are 5 MB.",
  ]);
});

test.each(["constructor", "__proto__", "toString"])(
  "an operation %s of Debezium is a text like any other",
  async (op) => {
    const decoded = await inJson(`{"op": "${op}", "source": {"connector": "mysql"}, "after": {"id": 1}}`);
    expect(factsOf(decoded)).toMatchObject({ operation: op });
    expect(decodedPayloadSchema.safeParse(decoded).success).toBe(true);
  },
);

test("facts of every envelope are cut at 1,000 characters", async () => {
  const long = "x".repeat(5_000);
  const cut = `${"x".repeat(1_000)}…`;
  const ofMassTransit = await inJson(`{"messageType": ["urn:message:${long}", "urn:message:${long}"], "message": {}}`);
  expect(factsOf(ofMassTransit)).toMatchObject({ type: cut, also: cut });
  expect(factsOf(await inJson(`{"$type": "${long}, Acme"}`))).toEqual({ type: cut });
  expect(factsOf(await inJson(`{"Headers": {"cap-msg-id": "1", "${long}": "2"}, "Value": 1}`))).toEqual({
    id: "1",
    [cut]: "2",
  });
});
