import { expect, test } from "vitest";
import { groupActSchema } from "./groups.ts";

test("a group is resolved up to a time that a database can keep", () => {
  const resolve = (seen: string) => groupActSchema.safeParse({ act: "resolve", seen }).success;
  expect(resolve("2026-11-22T02:51:06.123456Z")).toBe(true);
  expect(resolve("0000-01-01T00:00:00Z")).toBe(false);
});
