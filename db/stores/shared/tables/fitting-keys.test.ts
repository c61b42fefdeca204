import { expect, test } from "vitest";
import { encodeMessageId } from "../../port/message-id.ts";
import { fittingKeys } from "./fitting-keys.ts";

const { keyArrays, keysOf } = fittingKeys((text, type) => type !== "bigint" || /^\d+$/.test(text));
const column = (name: string, type: string) => ({ name, type, nullable: false, from: "shape" }) as const;
const NUMBERED = { primaryKey: [column("id", "bigint")] };
const PAIRED = { primaryKey: [column("tenant", "text"), column("id", "bigint")] };

test("the key of an id is one array for each of its columns", () => {
  expect(keyArrays(NUMBERED, "7")).toEqual([["7"]]);
  expect(keyArrays(PAIRED, encodeMessageId(["a b", "7"]))).toEqual([["a b"], ["7"]]);
});

test("no row can have a key whose value does not fit its column", () => {
  expect(keyArrays(NUMBERED, "x")).toBeUndefined();
  expect(keyArrays(PAIRED, encodeMessageId(["a", "x"]))).toBeUndefined();
});

test("a malformed id is not found", () => {
  expect(() => keyArrays(NUMBERED, "~%")).toThrow("There is no message with this id.");
  expect(() => keyArrays(PAIRED, "7")).toThrow("There is no message with this id.");
});

test("of several ids, those that no row can have are left out", () => {
  expect(keysOf(NUMBERED, ["7", "x", "~%", "8"])).toEqual([["7"], ["8"]]);
});
