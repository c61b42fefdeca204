import { expect, test } from "vitest";
import { AppError, ConfigError } from "#domain/errors.ts";
import { togetherOf } from "./together-of.ts";

const refused = new ConfigError(["store shop: the database user may not create it."]);
const silent = new AppError("unavailable", "The database of store till does not answer.");
const bug = new TypeError("x is undefined");

test("every store that was not migrated is told, however it failed", () => {
  const all = togetherOf([refused, silent, refused]);
  expect(all).toBeInstanceOf(ConfigError);
  expect((all as ConfigError).problems).toEqual([refused.message, silent.message, refused.message]);
});

test("one failure stays as it is, and one without a sentence goes before all", () => {
  expect(togetherOf([silent])).toBe(silent);
  expect(togetherOf([refused, bug, silent])).toBe(bug);
});
