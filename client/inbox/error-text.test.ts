import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, test } from "vitest";
import { errorText } from "./error-text.ts";

const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });

test.each([
  ["an error", new TypeError("no"), "TypeError: no"],
  ["what is no error", "no", "no"],
  ["an object with a message, as some clients throw it", { code: "E1", message: "no" }, "no"],
  ["what is no error and has no text", Object.create(null), "an error without a text"],
  [
    "an error whose cause says more, such as fetch's",
    new TypeError("fetch failed", { cause: refused }),
    "TypeError: fetch failed; caused by Error: connect ECONNREFUSED 127.0.0.1:1",
  ],
  [
    "several errors, such as those of each address of a host",
    new TypeError("fetch failed", { cause: new AggregateError([refused, new Error("timeout")]) }),
    "TypeError: fetch failed; caused by AggregateError: Error: connect ECONNREFUSED 127.0.0.1:1, Error: timeout",
  ],
  [
    "Drizzle's error: the database's words, and no values",
    new DrizzleQueryError("insert into invoices values ($1)", ["a-secret"], new Error("duplicate key value")),
    "Error: Failed query: insert into invoices values ($1); caused by Error: duplicate key value",
  ],
  ["U+0000", new Error("a\0b"), "Error: a b"],
])("the text of %s", (_, error, expected) => {
  expect(errorText(error)).toBe(expected);
});

test("a long text keeps its beginning and its end, where the reason is", () => {
  const text = errorText(new Error(`${"x".repeat(5000)}🎈 the reason`));
  expect(text).toMatch(/^Error: x+ … x+🎈 the reason$/);
  expect(text.length).toBeLessThanOrEqual(2000);
  expect(errorText(new Error("🎈".repeat(5000))).isWellFormed()).toBe(true);
});

test("errors that cause each other end", () => {
  const one = new Error("one");
  one.cause = new Error("two", { cause: one });
  expect(errorText(one)).toBe("Error: one; caused by Error: two");
});
