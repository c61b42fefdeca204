import { expect, test } from "vitest";
import { cutText } from "./cut-text.ts";

test("a cut never leaves half of a character", () => {
  expect(cutText("ab\u{1f600}c", 3)).toBe("ab");
  expect(cutText("ab\u{1f600}c", 4)).toBe("ab\u{1f600}");
  expect(cutText("ab", 3)).toBe("ab");
});
