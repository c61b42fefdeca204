import { describe, expect, test } from "vitest";
import type { DecodedPayload, PayloadBody, PayloadNode } from "#contracts/message/payloads.ts";
import { contentOf } from "./payload-content.ts";
import { childrenOf, DecodedNode, describeValue } from "./payload-tree.ts";
import { hexRows, storedBytes } from "./stored-bytes.ts";

const stored = (text: string, format: "json" | "text" | "base64" = "text") => {
  const bytes = Buffer.byteLength(text);
  return { text, format, totalBytes: bytes, shownBytes: bytes, truncated: false };
};
const decoded = (body: PayloadBody): DecodedPayload => ({
  chain: ["text"],
  bytes: 9_000,
  envelopes: [],
  body,
  references: [],
  notices: [],
  remarks: [],
});

describe("the content of a payload", () => {
  test("is the stored JSON until the server has decoded it", () => {
    expect(contentOf(stored('{"a": 1}', "json"), undefined).content?.kind).toBe("tree");
    expect(contentOf(stored("H4sI", "base64"), undefined)).toEqual({});
  });

  test("is a tree of JSON or of fields, the text inside its layers, or the first decoded bytes", () => {
    const node: PayloadNode = { kind: "string", text: "x" };
    const payload = stored("stored");
    expect(contentOf(payload, decoded({ kind: "json", text: "[1]" })).content?.kind).toBe("tree");
    expect(contentOf(payload, decoded({ kind: "fields", root: node })).content).toMatchObject({ value: { node } });
    expect(contentOf(payload, decoded({ kind: "text", text: "inside" })).content).toEqual({
      kind: "text",
      text: "inside",
    });
    expect(contentOf(payload, decoded({ kind: "unknown", head: "AP8=" })).content).toEqual({
      kind: "bytes",
      bytes: new Uint8Array([0, 255]),
      total: 9_000,
    });
  });

  test("is nothing but the stored form where that says it all", () => {
    expect(contentOf(stored("plain"), decoded({ kind: "text", text: "plain" }))).toEqual({});
    expect(contentOf(stored("AP8=", "base64"), decoded({ kind: "unknown", head: null }))).toEqual({});
  });

  test("of JSON with a key twice is its text, and the page says why", () => {
    const twice = '{"a":1,"a":2}';
    expect(contentOf(stored(twice, "json"), decoded({ kind: "json", text: twice }))).toEqual({
      notice: expect.stringContaining("has a key twice"),
    });
    expect(contentOf(stored("zipped"), decoded({ kind: "json", text: twice })).content).toEqual({
      kind: "text",
      text: twice,
    });
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(contentOf(stored(deep), decoded({ kind: "json", text: deep })).notice).toContain("nests too deeply");
  });
});

test("decoded values are described with their types, their hidden entries and their keys in order", () => {
  const object = new DecodedNode({
    kind: "object",
    type: "App\\Order",
    more: 3,
    entries: [
      { key: "id", value: { kind: "scalar", type: "varint", text: "9007199254740993" } },
      { key: "id", value: { kind: "bytes", hex: "00ff", size: 700 } },
    ],
  });
  expect(describeValue(object)).toEqual({ kind: "object", size: 2, more: 3, type: "App\\Order" });
  const children = childrenOf(object, 10);
  expect(children.map(({ key }) => key)).toEqual(["id", "id"]);
  expect(children.map(({ value }) => describeValue(value))).toEqual([
    { kind: "number", text: "9007199254740993", type: "varint" },
    { kind: "literal", text: "00ff…", type: "bytes, 700 B" },
  ]);
});

test("JSON keys like __proto__ are shown", () => {
  const content = contentOf(stored(""), decoded({ kind: "json", text: '{"__proto__": {"x": 1}, "a": 2}' })).content;
  const value = content?.kind === "tree" ? content.value : undefined;
  expect(childrenOf(value, 10).map(({ key }) => key)).toEqual(["__proto__", "a"]);
});

test("stored bytes are those of base64 or of UTF-8, and hex rows show offset, bytes and ASCII", () => {
  expect([...storedBytes(stored("AP8=", "base64"))]).toEqual([0, 255]);
  const bytes = storedBytes(stored("Zoë <b>"));
  expect(hexRows(bytes, { most: 100, width: 4 })).toEqual([
    { offset: "000000", hex: "5a 6f c3 ab", text: "Zo··" },
    { offset: "000004", hex: "20 3c 62 3e", text: " <b>" },
  ]);
  expect(hexRows(bytes, { most: 5, width: 4 })[1]).toEqual({ offset: "000004", hex: "20", text: " " });
});
