import { expect, test } from "vitest";
import { plain } from "../decode.fixture.ts";
import { readPhp, stripSlashes } from "./php.ts";

const read = (text: string) => plain(readPhp(Buffer.from(text)));

test("reads every kind of value of PHP's serialize()", () => {
  expect(read('a:5:{s:1:"n";N;s:1:"b";b:1;s:1:"i";i:9007199254740993;s:1:"d";d:12.1;s:2:"é";s:4:"Zoë";}')).toEqual({
    n: { value: "null" },
    b: { value: "true" },
    i: { value: "9007199254740993" },
    d: { value: "12.1" },
    é: "Zoë",
  });
  expect(read("a:2:{i:0;i:7;i:1;d:-INF;}")).toEqual([{ value: "7" }, { value: "-INF" }]);
  expect(read("a:2:{i:0;i:7;i:5;i:8;}")).toEqual({ 0: { value: "7" }, 5: { value: "8" } });
  expect(read('E:17:"App\\State:Pending";')).toEqual({ value: "App\\State:Pending" });
  expect(read('C:3:"Old":4:{x;"}}')).toEqual({ class: "Old", "serialized by the class itself": 'x;"}' });
  expect(read('a:2:{i:0;O:1:"A":0:{}i:1;r:2;}')).toEqual([{ class: "A" }, { value: "value 2 of this payload" }]);
});

test("counts the length of a text in bytes and shows bytes that are no UTF-8 as hex", () => {
  const bytes = Buffer.concat([Buffer.from('a:1:{i:0;s:2:"'), Buffer.from([0xff, 0x00]), Buffer.from('";}')]);
  expect(plain(readPhp(bytes))).toEqual(["hex ff00"]);
});

test("names private and protected properties without their class", () => {
  expect(read('O:1:"A":2:{s:4:"\0A\0p";i:1;s:4:"\0*\0q";i:2;}')).toEqual({
    class: "A",
    p: { value: "1" },
    q: { value: "2" },
  });
});

test("a key __proto__ is a key like any other", () => {
  const node = readPhp(Buffer.from('a:1:{s:9:"__proto__";i:1;}'));
  expect(node).toMatchObject({ entries: [{ key: "__proto__" }] });
});

test.each([
  ["a value alone that may be ordinary text", "i:5;"],
  ["a length that is too long", 's:6:"hello";'],
  ["a length that is too short", 's:4:"hello";'],
  ["something behind the value", 's:5:"hello";x'],
  ["an array that ends early", "a:2:{i:0;i:1;"],
  ["a number of words", "a:1:{i:0;i:five;}"],
  ["an endless count", "a:999999999:{i:0;i:1;}"],
])("refuses %s", (_, text) => {
  expect(() => readPhp(Buffer.from(text))).toThrow();
});

test("undoes addslashes byte for byte", () => {
  const text = "a\\b'c\"d\0e é";
  const slashed = text.replace(/[\\'"]/g, "\\$&").replaceAll("\0", "\\0");
  expect(Buffer.from(stripSlashes(Buffer.from(slashed))).toString()).toBe(text);
});
