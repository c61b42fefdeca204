import { expect, test } from "vitest";
import { layOutJson } from "./lay-out-json.ts";
import { diffLines } from "./line-diff.ts";

test("JSON is laid out without touching a number or a string", () => {
  const stored = '{"id":12345678901234567890,"total": 1.10,"note":"a, {b}: \\"c\\"","list":[1.0e-8,{}],"none":[]}';
  const laid = layOutJson(stored);
  expect(laid.split("\n")).toEqual([
    "{",
    '  "id": 12345678901234567890,',
    '  "total": 1.10,',
    '  "note": "a, {b}: \\"c\\"",',
    '  "list": [',
    "    1.0e-8,",
    "    {}",
    "  ],",
    '  "none": []',
    "}",
  ]);
  expect(layOutJson(laid)).toBe(laid);
  expect(layOutJson("plain text, as it is")).toBe("plain text, as it is");
});

test("the difference names what was removed and added, line by line", () => {
  const lines = diffLines("a\nb\nc\nd", "a\nB\nc\nx\nd").map(({ kind, text }) => `${kind} ${text}`);
  expect(lines).toEqual(["same a", "removed b", "added B", "same c", "added x", "same d"]);
  expect(diffLines("a", "a")).toEqual([{ kind: "same", text: "a" }]);
  expect(diffLines("a\nb", "b").map(({ kind }) => kind)).toEqual(["removed", "same"]);
});
