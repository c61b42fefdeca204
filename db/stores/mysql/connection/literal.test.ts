import { expect, test } from "vitest";
import { bindValues, literalOf, quoteName, quoteText } from "./literal.ts";

test.each([
  [null, "NULL"],
  [undefined, "NULL"],
  [true, "TRUE"],
  [-1.5, "-1.5"],
  [18446744073709551615n, "18446744073709551615"],
  ["it's", "'it''s'"],
  ["back\\slash", "'back\\\\slash'"],
  ["a\0b\nc\rd\u001ae", "'a\\0b\\nc\\rd\\Ze'"],
  ["zoë 💥", "'zoë 💥'"],
  [Buffer.from([0, 255]), "X'00ff'"],
  [new Uint8Array(), "''"],
])("%o as a literal", (value, literal) => {
  expect(literalOf(value)).toBe(literal);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, {}, [], () => 1])("%o is no literal", (value) => {
  expect(() => literalOf(value)).toThrow(TypeError);
});

test("a name keeps whatever is in it", () => {
  expect(quoteName("a`b?c")).toBe("`a``b?c`");
  expect(quoteText("")).toBe("''");
});

test("only a question mark that is a parameter is replaced", () => {
  const text = "SELECT `a?``?`, '?''?\\'?', \"?\\\"?\", ? /* ? */ FROM t -- ?\nWHERE x = ?";
  expect(bindValues(text, ["$&", 2])).toBe(
    "SELECT `a?``?`, '?''?\\'?', \"?\\\"?\", '$&' /* ? */ FROM t -- ?\nWHERE x = 2",
  );
  expect(bindValues("SELECT '?'", [])).toBe("SELECT '?'");
});

test("too few and too many values are refused", () => {
  expect(() => bindValues("SELECT ?", [1, 2])).toThrow("1 parameters and got 2");
  expect(() => bindValues("SELECT ?, ?", [1])).toThrow("2 parameters and got 1");
});

test("long literals are no trouble", () => {
  const long = "x'\\".repeat(1_000_000);
  const text = `SELECT ${quoteText(long)}, ?`;
  expect(bindValues(text, [1]).endsWith(", 1")).toBe(true);
});
