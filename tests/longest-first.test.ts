import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LONGEST } from "./longest-first.ts";

test.each(LONGEST)("%s is still there, so that its place in the order has an effect", (path) => {
  expect(existsSync(join(import.meta.dirname, "..", path))).toBe(true);
});
