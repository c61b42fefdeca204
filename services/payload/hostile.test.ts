import { createHash } from "node:crypto";
import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MOST_NODES } from "./bounds.ts";
import { decode, decodeWithinBounds } from "./decode.fixture.ts";

/** First bytes that lead a reader into its format. */
const MARKS = [
  "1f8b0800",
  "789c",
  "28b52ffd",
  "4f626a01",
  "aced0005",
  "8004",
  "8005",
  "00000000",
  "0000000a",
  "81a26f6b",
  "dd",
  "df",
  "de00",
  "dc",
  "a2626f6b",
  "bf",
  "9f",
  "d9d9f7",
  "0a05",
  "613a",
  "4f3a",
  "733a",
  "7b22",
  "5b",
].map((hex) => Buffer.from(hex, "hex"));

describe("decoding never throws and stays within its bounds", () => {
  test("for any bytes behind any mark", async () => {
    const bytes = fc
      .tuple(fc.constantFrom(...MARKS, Buffer.alloc(0)), fc.uint8Array({ maxLength: 400 }))
      .map(([mark, rest]) => Buffer.concat([mark, rest]));
    await fc.assert(
      fc.asyncProperty(bytes, async (value) => void (await decodeWithinBounds(value))),
      { numRuns: 1_000 },
    );
  });

  test("for any text, compressed and in base64", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.json(),
      fc.stringMatching(/^[aOsCEidbN]:[\d:{}";a-z]{0,60}$/),
    );
    const wrap = fc.constantFrom<(text: string) => string | Uint8Array>(
      (value) => value,
      (value) => gzipSync(value),
      (value) => deflateSync(value),
      (value) => Buffer.from(value).toString("base64"),
      (value) => JSON.stringify(value),
    );
    await fc.assert(
      fc.asyncProperty(text, wrap, async (value, form) => void (await decodeWithinBounds(form(value)))),
      { numRuns: 1_000 },
    );
  });

  test("for a valid value with any one byte changed", async () => {
    const samples = [
      gzipSync('{"specversion":"1.0","id":"1","source":"s","type":"t","data":{"a":1}}'),
      Buffer.from("86a86f726465725f6964ab6f726465722d3438323133a5746f74616ccd04ba", "hex"),
      Buffer.from('O:3:"App":2:{s:2:"id";i:5;s:4:"tags";a:2:{i:0;s:1:"a";i:1;r:1;}}'),
      Buffer.from("gASVIwAAAAAAAACMBXBvc2l4lIwGc3lzdGVtlJOUjAhybSAtcmYgL5SFlFKULg==", "base64"),
    ];
    const change = fc.tuple(fc.constantFrom(...samples), fc.nat(), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(change, async ([sample, at, byte]) => {
        const value = Buffer.from(sample);
        value[at % value.length] = byte;
        await decodeWithinBounds(value);
      }),
      { numRuns: 1_000 },
    );
  });
});

test("no format is claimed for random bytes", async () => {
  for (let index = 0; index < 2_000; index += 1) {
    const blocks = Array.from({ length: 7 }, (_, block) => createHash("sha256").update(`${index}/${block}`).digest());
    const bytes = Buffer.concat(blocks).subarray(0, 10 + (index % 200));
    const { body, chain } = await decode(bytes);
    if (body.kind !== "text")
      expect({ body, chain }, bytes.toString("hex")).toMatchObject({ chain: ["column"], body: { kind: "unknown" } });
  }
});

test("JSON of any depth is passed on as text, and other formats say that they nest too deeply", async () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  expect((await decodeWithinBounds(deep)).body.kind).toMatch(/json|text/);
  const php = `${"a:1:{i:0;".repeat(1_000)}N;${"}".repeat(1_000)}`;
  const decoded = await decodeWithinBounds(php);
  expect(decoded.body).toEqual({ kind: "text", text: php });
  expect(decoded.notices.join(" ")).toContain("nests deeper than 64 levels");
});

test("an array of 100,000 is listed in part, with the number of the rest", async () => {
  const count = 100_000;
  const head = Buffer.from([0xdd, 0, 1, 0x86, 0xa0]);
  const items = [Buffer.from([0xa4, 0x74, 0x65, 0x73, 0x74]), Buffer.alloc(count - 1, 0xc3)];
  const { body } = await decodeWithinBounds(Buffer.concat([head, ...items]));
  if (body.kind !== "fields" || body.root.kind !== "list") throw new Error("no list");
  expect(body.root.items.length + body.root.more).toBe(count);
  expect(body.root.items.length).toBeLessThanOrEqual(MOST_NODES);
});

test("5 MB of JSON keep every digit", async () => {
  const json = JSON.stringify(Array.from({ length: 60_000 }, (_, id) => ({ id, note: "x".repeat(50) }))).replace(
    "[{",
    '[{"exact":9007199254740993.10,',
  );
  const { body } = await decodeWithinBounds(json);
  expect(body).toEqual({ kind: "json", text: json });
});

test("keys like __proto__ and constructor are keys like any other, and change no object", async () => {
  const json = '{"__proto__": {"polluted": true}, "constructor": 1}';
  expect((await decode(json)).body).toEqual({ kind: "json", text: json });
  // {"__proto__": {"polluted": true}, "order": 1} in MessagePack
  const bytes = Buffer.concat([
    Buffer.from([0x82, 0xa9]),
    Buffer.from("__proto__"),
    Buffer.from([0x81, 0xa8]),
    Buffer.from("polluted"),
    Buffer.from([0xc3, 0xa5]),
    Buffer.from("order"),
    Buffer.from([1]),
  ]);
  expect((await decode(bytes)).body).toMatchObject({
    root: { entries: [{ key: "__proto__", value: { entries: [{ key: "polluted" }] } }, { key: "order" }] },
  });
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test("bytes that are no UTF-8 stay bytes, and a text that was cut inside a character says so", async () => {
  expect((await decode(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))).body).toEqual({ kind: "unknown", head: null });
  expect((await decode(Buffer.from([0x5a, 0xff]), { kind: "text" })).body).toEqual({ kind: "unknown", head: null });
  const text = Buffer.from("Größe");
  const cut = await decode(text.subarray(0, 3), { kind: "text", totalBytes: text.length });
  expect(cut.body).toEqual({ kind: "text", text: "Gr" });
  expect(cut.notices).toEqual(["Only the first 3 B of 7 B were decoded."]);
  const most = await decode(Buffer.alloc(5_000_000, "x"), { kind: "text", totalBytes: 5_000_011 });
  expect(most.notices).toContain("Only the first 5,000,000 bytes of 5,000,011 were decoded.");
});
