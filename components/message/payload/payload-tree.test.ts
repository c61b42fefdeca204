import { describe, expect, it } from "vitest";
import { childrenOf, countValues, describeValue, readPayload } from "./payload-tree.ts";

const read = (text: string) => {
  const payload = readPayload(text);
  if (payload === undefined) throw new Error("not JSON");
  return payload.value;
};

describe("payload tree", () => {
  it("keeps every digit of every number", () => {
    for (const text of ["9007199254740993", "1.10", "-0.0", "1e400", "12345678901234567890.123456789"]) {
      expect(describeValue(read(text))).toEqual({ kind: "number", text });
    }
  });

  it("describes containers, strings and literals", () => {
    expect(describeValue(read('{"a":1,"b":2}'))).toEqual({ kind: "object", size: 2 });
    expect(describeValue(read("[1,2,3]"))).toEqual({ kind: "array", size: 3 });
    expect(describeValue(read('"a\\u0000b"'))).toEqual({ kind: "string", text: "a\u0000b" });
    expect(describeValue(read("null"))).toEqual({ kind: "literal", text: "null" });
    expect(describeValue(read("true"))).toEqual({ kind: "literal", text: "true" });
  });

  it("gives children in order, up to a limit", () => {
    expect(childrenOf(read('{"b":"x","a":"y"}'), 10).map((child) => child.key)).toEqual(["b", "a"]);
    expect(childrenOf(read(JSON.stringify(Array(500).fill(0))), 100)).toHaveLength(100);
    expect(childrenOf(read("1"), 10)).toEqual([]);
  });

  it("falls back to raw text for invalid or truncated JSON and duplicate keys", () => {
    expect(readPayload("<order/>")).toBeUndefined();
    expect(readPayload('{"a":1')).toBeUndefined();
    expect(readPayload('{"a":1,"a":2}')).toBeUndefined();
  });

  it("stops counting at its limit", () => {
    expect(countValues(read('{"a":[1,2],"b":null}'), 100)).toBe(5);
    expect(countValues(read(JSON.stringify(Array(5000).fill(0))), 200)).toBe(200);
  });
});
