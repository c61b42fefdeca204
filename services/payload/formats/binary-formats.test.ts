import { expect, test } from "vitest";
import { chainOf, decode, fieldsOf } from "../decode.fixture.ts";

const from64 = (text: string) => Buffer.from(text, "base64");
/** Written by @msgpack/msgpack and cbor-x. */
const MESSAGE_PACK =
  "hahvcmRlcl9pZKtvcmRlci00ODIxM6psZWRnZXJfcmVmzwAgAAAAAAABpXRvdGFsy0AoMzMzMzMzpHRhZ3OTpGdpZnTAw6RibG9ixAMBAv8=";
const CBOR =
  "uQAFaG9yZGVyX2lka29yZGVyLTQ4MjEzamxlZGdlcl9yZWYbACAAAAAAAAFldG90YWz7QCgzMzMzMzNkdGFnc4NkZ2lmdPb1ZGJsb2LYQEMBAv8=";
/** Written by protobufjs: order_id, total, two items with sku and price, a fixed32. */
const PROTOBUF = "CgtvcmRlci00ODIxMxC6CRoQCgV0ZWEtMREAAAAAAAD4PxoQCgVjdXAtMhEAAAAAAAAAQCUHAAAA";
/** A record without its schema, written by avsc. */
const AVRO_BODY = "Fm9yZGVyLTQ4MjEzxqOsi58FAghab8OrAghnaWZ0AAICAmECAAA=";

const ORDER = {
  order_id: "order-48213",
  ledger_ref: { value: "9007199254740993" },
  total: { value: "12.1" },
  tags: ["gift", { value: "null" }, { value: "true" }],
};

test("MessagePack is read with its numbers exact", async () => {
  const decoded = await decode(from64(MESSAGE_PACK));
  expect(decoded.chain).toEqual(["column", "MessagePack"]);
  expect(fieldsOf(decoded)).toEqual({ ...ORDER, blob: "hex 0102ff" });
});

test("CBOR is read with its tags and its numbers exact", async () => {
  const decoded = await decode(from64(CBOR));
  expect(decoded.chain).toEqual(["column", "CBOR"]);
  expect(fieldsOf(decoded)).toEqual({ ...ORDER, blob: { class: "tag 64", value: "hex 0102ff" } });
});

test("CBOR of indefinite length is read to its break", async () => {
  const bytes = Buffer.from("bf656f72646572 9f0102ff 6474657874 7f626f6b626f6bff ff".replaceAll(" ", ""), "hex");
  expect(fieldsOf(await decode(bytes))).toEqual({ order: [{ value: "1" }, { value: "2" }], text: "okok" });
});

test("protobuf without its schema shows field numbers, and says that names are missing", async () => {
  const decoded = await decode(from64(PROTOBUF));
  expect(decoded.chain).toEqual(["column", "protobuf, no schema"]);
  expect(decoded.remarks.join(" ")).toContain("in a schema, which is not here");
  expect(decoded.body).toMatchObject({
    root: {
      entries: [
        { key: "1", value: { kind: "string", text: "order-48213" } },
        { key: "2", value: { kind: "scalar", type: "varint", text: "1210" } },
        { key: "3", value: { kind: "object", entries: [{ key: "1" }, { key: "2", value: { type: "fixed64" } }] } },
        { key: "3", value: { kind: "object" } },
        { key: "4", value: { type: "fixed32", text: "7" } },
      ],
    },
  });
});

const framed = (body: Uint8Array, schemaId = 42) => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(schemaId, 1);
  return Buffer.concat([head, body]);
};

test("Confluent's wire format is claimed where JSON or protobuf behind it confirms it", async () => {
  const json = await decode(framed(Buffer.from('{"total": 1.10}')));
  expect(json.chain).toEqual(["column", "Confluent wire format", "JSON"]);
  expect(json.envelopes[0]?.facts).toEqual([{ name: "schema id", value: "42" }]);
  expect(json.body).toEqual({ kind: "json", text: '{"total": 1.10}' });
  expect(await chainOf(framed(Buffer.concat([Buffer.from([0]), from64(PROTOBUF)])))).toBe(
    "Confluent wire format · protobuf, no schema",
  );
});

test("bytes that may be Avro in Confluent's wire format are not claimed, and the page says what is missing", async () => {
  const decoded = await decode(framed(from64(AVRO_BODY)));
  expect(decoded.chain).toEqual(["column"]);
  expect(decoded.body).toEqual({ kind: "unknown", head: null });
  expect(decoded.remarks.join(" ")).toMatch(/schema id 42.*schema registry/);
});

test("bytes without a mark that are too short or too plain for evidence are not claimed", async () => {
  for (const hex of ["81a2696401", "a2616101", "0801", "93010203", "00", "ff", "80", "0000000001"])
    expect((await decode(Buffer.from(hex, "hex"))).body, hex).toEqual({ kind: "unknown", head: null });
});
