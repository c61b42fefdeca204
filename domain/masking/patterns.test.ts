import { expect, test } from "vitest";
import { MASK } from "./mask-rules.ts";
import { maskFreeText, maskPatterns, NAMED_PATTERNS } from "./patterns.ts";

const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLW9mLXNvbWU";
const mask = (text: string) => maskPatterns(text, NAMED_PATTERNS.token).text;

test.each([
  ["alone", TOKEN, MASK],
  ["behind a name", `token=${TOKEN};`, `token=${MASK};`],
  ["behind a hyphen", `x-${TOKEN}`, MASK],
  ["behind other segments", `some-prefix-of-it.${TOKEN}`, MASK],
  ["without a signature", `"${TOKEN.split(".").slice(0, 2).join(".")}."`, `"${MASK}"`],
])("a JSON Web Token is found %s", (_, text, masked) => {
  expect(mask(text)).toBe(masked);
});

test.each(["www.example.org", "a.b.c.d", "eyJ.short.x", "1.2.3", `${TOKEN.split(".")[0]}.x`])("%s stays", (text) => {
  expect(mask(text)).toBe(text);
});

// Each of these takes minutes if a pattern reads the rest of the text again from every place.
const HOSTILE = ["-eyJ", "eyJ", "eyJ.", "a.", "1 ", "+1 ", "a@", "DE12 ", "bearer ", "a@b.", "é", "basic  "];

test.each(HOSTILE)("a megabyte of %j is read in one pass", (part) => {
  const text = part.repeat(1_000_000 / part.length);
  for (const patterns of Object.values(NAMED_PATTERNS))
    expect(maskPatterns(text, patterns).text.length).toBeGreaterThan(0);
});

const RULES = { paths: [], patterns: [], maskedByDefault: false, shown: [], hidden: null, hidesErrors: false };

test.each([
  ["whole", "no ann@example.org here", "no [masked] here"],
  ["cut with an ellipsis", "rejected: ann@exam…", "rejected: [masked]…"],
  ["cut within quotes", 'rejected: "ann@exam..."', 'rejected: "[masked]..."'],
  ["cut at a length", `${"x".repeat(400)} ann@exam`, `${"x".repeat(400)} [masked]`],
  ["not by the end of a text that was not cut", "rejected: ann@exam", "rejected: ann@exam"],
  ["with its lines joined", "at Main St 1 of X", "at [masked] of X"],
  ["not by three letters", "rejected: ann…", "rejected: ann…"],
])("a value of the message is masked in an error, %s", (_, text, masked) => {
  expect(maskFreeText(text, RULES, ["ann@example.org", "Main\nSt  1"]).text).toBe(masked);
});

test.each([" ", '"', "…", ".", "x "])("long runs of %j inside an error are read once", (part) => {
  const text = `${part.repeat(19_000 / part.length)}x`;
  for (let time = 0; time < 1_000; time += 1)
    expect(maskFreeText(text, RULES, ["ann@example.org"]).text.length).toBe(text.length);
});
