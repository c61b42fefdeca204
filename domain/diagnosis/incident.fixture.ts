import { expect } from "vitest";
import { type Change, judged } from "./situation.fixture.ts";
import type { CauseCode, VerdictWord } from "./words.ts";

/** What is read, and what must be said of it first. */
export type Incident = [
  name: string,
  change: Change,
  rule: CauseCode,
  word: VerdictWord,
  severity: "warn" | "fail",
  sentence: RegExp,
];

/** The cause comes first, in its words, and the verdict is given in the same. */
export function expectCauseFirst(...[, change, rule, word, severity, sentence]: Incident): void {
  const { causes, verdict } = judged(change);
  expect(causes[0]).toMatchObject({ rule, word, severity });
  expect(causes[0]?.sentence).toMatch(sentence);
  expect(verdict).toMatchObject({ word, cause: causes[0]?.sentence, since: causes[0]?.since });
  expect(causes[0]?.nextStep.length).toBeGreaterThan(25);
}
