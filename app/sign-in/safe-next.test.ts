import { expect, test } from "vitest";
import { safeNext } from "./safe-next.ts";

test("a page of the console keeps its filters", () => {
  expect(safeNext("/messages?state=dead&outbox=orders")).toBe("/messages?state=dead&outbox=orders");
});

test.each([
  undefined,
  "",
  "https://example.com",
  "//example.com",
  "/\\example.com",
  "/\t/example.com",
  "/sign-in?next=/",
])("%j leads to the overview", (next) => {
  expect(safeNext(next)).toBe("/");
});
