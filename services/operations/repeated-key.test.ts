import { expect, test } from "vitest";
import { repeatedKey } from "./repeated-key.ts";

test("a key that stands twice with different values is named, wherever it stands", () => {
  expect(repeatedKey('{"a": 1, "b": [{"sku": "x", "sku": "y"}]}')).toBe("sku");
  expect(repeatedKey('{"a": 1, "b": {"a": 2}}')).toBeNull();
  expect(repeatedKey("{a")).toBeNull();
});
