import { describe, expect, test } from "vitest";
import { decode, fieldsOf } from "../decode.fixture.ts";

/** Two records written by avsc, without and with compression. */
const SCHEMA =
  '{"name":"com.acme.OrderPlaced","type":"record","fields":[{"name":"orderId","type":"string"},{"name":"ledger","type":"long"},{"name":"note","type":["null","string"]},{"name":"tags","type":{"type":"array","items":"string"}},{"name":"state","type":{"name":"com.acme.State","type":"enum","symbols":["NEW","PAID"]}},{"name":"attrs","type":{"type":"map","values":"int"}},{"name":"next","type":["null","com.acme.OrderPlaced"]}]}';
const SYNC = Buffer.alloc(16, 7);
const BLOCKS: Record<string, string> = {
  null: "BGgWb3JkZXItNDgyMTPGo6yLnwUCCFpvw6sCCGdpZnQAAgICYQIAAA5vcmRlci0yAQAAAAAA",
  deflate: "BGATyy9KSS3SNbEwMjQ+tnhN93xWJo6o/MOrmTjSM9NKGJiYmBKZGBj4IKqMGBlAAAA=",
};

function file(codec: string, block: string): Buffer {
  const text = (value: Buffer) => Buffer.concat([long(value.length), value]);
  const header = [Buffer.from("avro.schema"), Buffer.from(SCHEMA), Buffer.from("avro.codec"), Buffer.from(codec)];
  return Buffer.concat([
    Buffer.from("Obj\x01"),
    long(2),
    ...header.map(text),
    long(0),
    SYNC,
    Buffer.from(block, "base64"),
    SYNC,
  ]);
}

/** Zigzag. */
function long(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value * 2; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

describe("an Avro object container", () => {
  test.each(["null", "deflate"])("shows its schema's name and its records, codec %s", async (codec) => {
    const decoded = await decode(file(codec, BLOCKS[codec] ?? ""));
    expect(decoded.chain).toEqual(["column", "Avro object container"]);
    expect(decoded.notices).toEqual([]);
    expect(fieldsOf(decoded)).toEqual({
      schema: { value: "com.acme.OrderPlaced" },
      codec: { value: codec },
      records: [
        {
          class: "com.acme.OrderPlaced",
          orderId: "order-48213",
          ledger: { value: "90071992547" },
          note: "Zoë",
          tags: ["gift"],
          state: { value: "PAID" },
          attrs: { a: { value: "1" } },
          next: { value: "null" },
        },
        {
          class: "com.acme.OrderPlaced",
          orderId: "order-2",
          ledger: { value: "-1" },
          note: { value: "null" },
          tags: [],
          state: { value: "NEW" },
          attrs: {},
          next: { value: "null" },
        },
      ],
    });
  });

  test("is said to be read in part where its codec is not known or a block is damaged", async () => {
    const snappy = await decode(file("snappy", BLOCKS.null ?? ""));
    expect(snappy.notices.join(" ")).toContain(
      "its blocks are compressed with snappy, which the console does not read",
    );
    const cut = file("null", BLOCKS.null ?? "").subarray(0, -20);
    expect((await decode(cut)).notices.join(" ")).toContain("could be read only in part");
  });
});
