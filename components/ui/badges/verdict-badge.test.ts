import { expect, test } from "vitest";
import { VERDICT_WORDS } from "#domain/diagnosis/words.ts";
import { VERDICT_LOOKS } from "./verdict-badge.tsx";

test("broken is red, at risk is amber, and verdicts that need no action have no colour", () => {
  expect(VERDICT_WORDS.map((word) => VERDICT_LOOKS[word].tone)).toEqual([
    "bad",
    "bad",
    "warn",
    "warn",
    "warn",
    "quiet",
    "quiet",
  ]);
});

test("every verdict has its own word, and only partial failure has half a dot", () => {
  expect(new Set(VERDICT_WORDS.map((word) => VERDICT_LOOKS[word].word)).size).toBe(VERDICT_WORDS.length);
  expect(VERDICT_WORDS.filter((word) => VERDICT_LOOKS[word].dot === "half")).toEqual(["in_part"]);
});
