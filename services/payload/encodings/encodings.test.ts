import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { MOST_BYTES } from "../bounds.ts";
import { chainOf, decode } from "../decode.fixture.ts";
import { declaredCompression } from "./declared-compression.ts";

const ORDER = '{"ledger_ref": 9007199254740993, "total": 12.10}';
const LINES = Array.from({ length: 20_000 }, (_, line) => `line ${line}`).join("\n");

test.each([
  ["gzip", gzipSync],
  ["zlib", deflateSync],
  ["zstd", zstdCompressSync],
] as const)("%s is recognised and its content is exact", async (name, compress) => {
  const decoded = await decode(compress(ORDER));
  expect(decoded.chain).toEqual(["column", name, "JSON"]);
  expect(decoded.body).toEqual({ kind: "json", text: ORDER });
  expect(decoded.bytes).toBe(Buffer.byteLength(ORDER));
  expect(decoded.notices).toEqual([]);
});

test.each([
  ["brotli", brotliCompressSync],
  ["deflate", deflateRawSync],
] as const)("%s, which has no mark, is decompressed only where the headers name it", async (name, compress) => {
  const bytes = compress(ORDER);
  expect(await chainOf(bytes, { declared: name })).toBe(`${name} · JSON`);
  expect((await decode(bytes)).body.kind).toBe("unknown");
  expect((await decode("plain text", { declared: "brotli" })).body).toEqual({ kind: "text", text: "plain text" });
});

test.each([
  ['{"content-encoding": "br"}', "brotli"],
  ['{"Content-Encoding": "GZIP"}', "gzip"],
  ['{"content-encoding": 5}', null],
  ['{"content-encoding": "constructor"}', null],
  ["[]", null],
  ["not JSON", null],
])("headers %s declare %s", (headers, compression) => {
  expect(declaredCompression(Buffer.from(headers))).toBe(compression);
});

test("layers are unfolded in turn: base64 in a text, gzip, JSON", async () => {
  const decoded = await decode(gzipSync(ORDER).toString("base64"));
  expect(decoded.chain).toEqual(["column", "base64", "gzip", "JSON"]);
  expect(decoded.body).toEqual({ kind: "json", text: ORDER });
  const wrapped = gzipSync(ORDER).toString("base64").replace(/.{20}/g, "$&\n");
  expect(await chainOf(wrapped)).toBe("base64 · gzip · JSON");
});

test("a byte order mark, as .NET writes it, is named and does not hide JSON", async () => {
  const decoded = await decode(Buffer.from(`\uFEFF${ORDER}`));
  expect(decoded.chain).toEqual(["column", "byte order mark", "JSON"]);
  expect(decoded.body).toEqual({ kind: "json", text: ORDER });
});

test("JSON written twice is unwrapped", async () => {
  expect(await chainOf(JSON.stringify(ORDER), { kind: "json" })).toBe("JSON string · JSON");
});

test.each([
  "deadbeefdeadbeefdeadbeefdeadbeef",
  "order-48213-placed-in-a-hurry-a1",
  "HelloWorldHelloWorld",
  "0123456789abcdef",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLW9mLXNvbWUtbGVuZ3Ro",
])("%s stays text: nothing is recognised in it as base64", async (text) => {
  const decoded = await decode(text);
  expect(decoded.chain).toEqual(["column", "text"]);
  expect(decoded.body).toEqual({ kind: "text", text });
});

test("a compressed value that is cut shows what it holds, and says so", async () => {
  const decoded = await decode(gzipSync(LINES).subarray(0, 5_000));
  expect(decoded.chain).toEqual(["column", "gzip", "text"]);
  expect(decoded.body.kind === "text" && LINES.startsWith(decoded.body.text)).toBe(true);
  expect(decoded.notices.join(" ")).toContain("The gzip stream ends early");
});

test("a damaged gzip, and bytes that only begin like one, are said to be so", async () => {
  const damaged = gzipSync(LINES);
  damaged.fill(0xff, 2_000, 2_100);
  expect((await decode(damaged)).notices.join(" ")).toMatch(/damaged/);
  const begins = await decode(Buffer.from("1f8b0800000000000003ffff", "hex"));
  expect(begins.body).toEqual({ kind: "unknown", head: null });
  expect(begins.notices.join(" ")).toContain("begin like gzip");
});

test("bytes that begin like zlib but do not end with its checksum are no zlib", async () => {
  const cut = deflateSync(ORDER).subarray(0, -2);
  expect((await decode(cut)).chain).toEqual(["column"]);
});

test("a gigabyte in a megabyte stops at the bound, and says so", async () => {
  const member = gzipSync(Buffer.alloc(10_000_000), { level: 9 });
  const bomb = Buffer.concat(Array.from({ length: 100 }, () => member));
  expect(bomb.length).toBeLessThan(1_000_000);
  const decoded = await decode(bomb);
  expect(decoded.bytes).toBe(MOST_BYTES);
  expect(decoded.notices.join(" ")).toContain("Decompression stopped at 5 MB");
});

test("of decompressed bytes of no known format the first are passed on", async () => {
  const bytes = Buffer.from("8f00ff13c2b74410a9dd01e67b5500fe", "hex");
  const decoded = await decode(gzipSync(bytes));
  expect(decoded.chain).toEqual(["column", "gzip"]);
  expect(decoded.body).toEqual({ kind: "unknown", head: bytes.toString("base64") });
});

test("bombs in bombs stop too", async () => {
  const inner = gzipSync("x".repeat(50_000_000));
  const decoded = await decode(gzipSync(gzipSync(inner)));
  expect(decoded.chain).toEqual(["column", "gzip", "gzip", "gzip", "text"]);
  expect(decoded.bytes).toBe(MOST_BYTES);
});

test("layers without end are unfolded up to a number, and the rest is said to be left", async () => {
  let text = ORDER;
  for (let layer = 0; layer < 12; layer += 1) text = Buffer.from(text).toString("base64");
  const decoded = await decode(text);
  expect(decoded.chain.filter((name) => name === "base64")).toHaveLength(8);
  expect(decoded.notices).toEqual(["The content has further layers, which are not unfolded."]);
});
