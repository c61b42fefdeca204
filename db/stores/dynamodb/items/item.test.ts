import { expect, test } from "vitest";
import { canonical, sizeOf, textOf } from "./item.ts";

const BIG = "12345678901234567890123456789012345678";

test.each([
  ["a number of 38 digits", { N: BIG }, BIG],
  ["a number with a zero at its end", { N: "1.10" }, "1.10"],
  ["a text", { S: "zoë" }, "zoë"],
  ["a boolean", { BOOL: false }, "false"],
  ["bytes", { B: new Uint8Array([0, 255]) }, "AP8="],
  [
    "a document",
    { M: { id: { N: BIG }, tags: { L: [{ S: 'a"b' }, { NULL: true }] } } },
    `{"id":${BIG},"tags":["a\\"b",null]}`,
  ],
  ["a set of numbers", { NS: ["1.10", BIG] }, `[1.10,${BIG}]`],
])("%s keeps every digit as text", (_, value, text) => {
  expect(textOf(value as Parameters<typeof textOf>[0])).toBe(text);
});

test("an absent attribute and a null are null", () => {
  expect([textOf(undefined), textOf({ NULL: true })]).toEqual([null, null]);
});

test("equal items have one notation, whatever the order of their attributes; others have another", () => {
  const one = { a: { S: "1" }, b: { M: { x: { N: "1" }, y: { N: "2" } } } };
  expect(canonical({ b: { M: { y: { N: "2" }, x: { N: "1" } } }, a: { S: "1" } })).toBe(canonical(one));
  expect(canonical({ ...one, a: { N: "1" } })).not.toBe(canonical(one));
});

test("the size counts names and values", () => {
  expect(sizeOf({ ab: { S: "äb" }, c: { B: new Uint8Array(10) } })).toBe(2 + 3 + 1 + 10);
});
