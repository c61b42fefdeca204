import { deflateRawSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ByteReader } from "./byte-reader.ts";
import { decodeWithinBounds } from "./decode.fixture.ts";

const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

/** Zigzag number of Avro. */
function long(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value * 2; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

const SYNC = Buffer.alloc(16, 7);
const avroText = (value: string) => Buffer.concat([long(value.length), Buffer.from(value)]);
const avroBlock = (count: number, bytes: Buffer) => Buffer.concat([long(count), long(bytes.length), bytes, SYNC]);

function avro(schema: string, codec: string, blocks: Buffer[]): Buffer {
  const header = ["avro.schema", schema, "avro.codec", codec].map(avroText);
  return Buffer.concat([Buffer.from("Obj\x01"), long(2), ...header, long(0), SYNC, ...blocks]);
}

/** Bytes that readers turned into texts since the spy was set. */
const bytesAsText = (spy: { mock: { calls: [number][] } }) =>
  spy.mock.calls.reduce((sum, [count]) => sum + Math.min(count, 500_000), 0);

afterEach(() => vi.restoreAllMocks());

describe("work is bounded", () => {
  test("for an Avro file of a few bytes that claims 400,000 records again and again", async () => {
    const decoded = await decodeWithinBounds(avro('"null"', "null", times(1_000, avroBlock(400_000, Buffer.alloc(0)))));
    expect(decoded.notices.join(" ")).toContain("it holds more than 200,000 values");
  });

  test("for an Avro file of many small bombs", async () => {
    const bomb = deflateRawSync(Buffer.alloc(900_000));
    const decoded = await decodeWithinBounds(avro('"string"', "deflate", times(200, avroBlock(1, bomb))));
    expect(decoded.notices.join(" ")).toContain("could be read only in part");
  });

  test("for an Avro file of thousands of compressed blocks without records", async () => {
    const empty = deflateRawSync(Buffer.alloc(0));
    const decoded = await decodeWithinBounds(avro('"string"', "deflate", times(2_000, avroBlock(0, empty))));
    expect(decoded.notices.join(" ")).toContain("more than 1,000 compressed blocks");
  });

  test("for a Java stream of nothing but marks", async () => {
    const marks = Buffer.alloc(450_000, Buffer.from("7472", "hex"));
    for (let at = 20_000; at < marks.length; at += 20_000) marks[at] = 1;
    marks.writeUInt32BE(0xaced0005);
    expect((await decodeWithinBounds(marks)).chain).toEqual(["column"]);
  });

  test("for a Java stream of marks of classes before printable texts that name no class", async () => {
    const marks = Buffer.alloc(100_000, "r");
    marks.writeUInt32BE(0xaced0005);
    const text = vi.spyOn(ByteReader.prototype, "text");
    await decodeWithinBounds(marks);
    expect(bytesAsText(text)).toBeGreaterThan(1_000_000);
    expect(bytesAsText(text)).toBeLessThan(25_000_000);
  });
});

describe("text is bounded", () => {
  const pickleText = (value: string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(value.length);
    return Buffer.concat([Buffer.from("X"), length, Buffer.from(value), Buffer.from([0x94])]);
  };
  const name = Buffer.from("h\0h\x01\x93", "latin1");

  test("for a pickle that names the same two long texts thousands of times", async () => {
    const texts = ["m", "n"].map((letter) => pickleText(letter.repeat(20_000)));
    const pickle = Buffer.concat([Buffer.from([0x80, 4]), ...texts, ...times(3_000, name), Buffer.from(".")]);
    expect((await decodeWithinBounds(pickle)).chain).toEqual(["column"]);
  });

  test("for an Avro record with a long name or long fields, again and again", async () => {
    const long = "n".repeat(50_000);
    const records = [avroBlock(5_000, Buffer.alloc(5_000, 2))];
    for (const schema of [
      `{"type":"record","name":"${long}","fields":[{"name":"a","type":"int"}]}`,
      `{"type":"record","name":"a","fields":[{"name":"${long}","type":"int"}]}`,
      `{"type":"enum","name":"a","symbols":["a","${long}"]}`,
    ]) {
      const decoded = await decodeWithinBounds(avro(schema, "null", records));
      expect(decoded.notices.join(" ")).toContain("longer than 1,600,000 characters");
    }
  });

  test("for an Avro schema whose long namespace comes before thousands of names", async () => {
    const inner = Array.from({ length: 500 }, (_, index) => `{"type":"fixed","name":"f${index}","size":1}`);
    const schema = `{"type":"record","name":"a","namespace":"${"n".repeat(50_000)}","fields":[{"name":"u","type":[${inner}]}]}`;
    const decoded = await decodeWithinBounds(avro(schema, "null", [avroBlock(1, Buffer.from([0, 1]))]));
    expect(decoded.notices.join(" ")).toContain("longer than 1,600,000 characters");
  });

  test("for a Symfony stamp with a long name and many properties", async () => {
    const text = (value: string) => `"${value}"`;
    const php = (value: string) => `s:${value.length}:${text(value)};`;
    const object = (type: string, entries: string[]) =>
      `O:${type.length}:${text(type)}:${entries.length / 2}:{${entries.join("")}}`;
    const properties = Array.from({ length: 400 }, (_, index) => [php(`p${index}`), "i:1;"]).flat();
    const stamp = object(`${"n".repeat(30_000)}Stamp`, properties);
    const envelope = object("Symfony\\Component\\Messenger\\Envelope", [
      ...[php("stamps"), `a:1:{${php("a")}a:1:{i:0;${stamp}}}`],
      ...[php("message"), object("Order", [])],
    ]);
    const decoded = await decodeWithinBounds(envelope);
    expect(decoded.chain).toContain("Symfony Messenger");
    expect(decoded.notices).toContain("Symfony Messenger has 401 facts; the first 200 are shown.");
  });
});

test("values that only wrap others count as values: CBOR tags and PHP's own serialisation", async () => {
  // 0x64: a text of four bytes.
  const text = Buffer.from("\x64text");
  const tagged = Buffer.concat([Buffer.alloc(20, 0xc1), text]);
  const list = Buffer.concat([Buffer.from([0x99, 0x1f, 0x41]), text, ...times(8_000, tagged)]);
  expect((await decodeWithinBounds(list)).chain).toEqual(["column", "CBOR"]);
  const items = Array.from({ length: 15_000 }, (_, index) => `i:${index};C:1:"A":1:{x}`);
  expect((await decodeWithinBounds(`a:15000:{${items.join("")}}`)).chain).toEqual(["column", "PHP serialize"]);
});

test("an Avro schema with values of the wrong kind is data that cannot be read, not an error", async () => {
  const odd = '{"toString":1,"valueOf":1}';
  for (const schema of [
    `{"type":"record","name":"a","fields":[{"name":${odd},"type":"int"}]}`,
    `{"type":"enum","name":"a","symbols":[${odd},${odd}]}`,
    `{"type":"fixed","name":"a","size":${odd}}`,
    `{"type":"fixed","name":"a","size":"one"}`,
    `{"type":"fixed","name":"a","size":0.5}`,
  ]) {
    const decoded = await decodeWithinBounds(avro(schema, "null", [avroBlock(1, Buffer.from([2]))]));
    expect(decoded.chain).toEqual(["column", "Avro object container"]);
    expect(decoded.notices.join(" ")).toContain("could be read only in part");
  }
});
