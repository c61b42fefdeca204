import { expect, test } from "vitest";
import { storableText } from "#db/stores/shared/relay/storable-text.ts";

test("leaves text that every store takes as it is", () => {
  expect(storableText("HTTP 500: na\u00efve \u{1f600}")).toBe("HTTP 500: na\u00efve \u{1f600}");
});

test("has no NUL and no half characters, also where it was cut", () => {
  expect(storableText("a\u0000b\u{1f600}", 3)).toBe("ab\ufffd");
  expect(storableText("cut before: \ud83d")).toBe("cut before: \ufffd");
});
