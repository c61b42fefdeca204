import fc from "fast-check";
import { expect, test } from "vitest";
import { EVERYTHING } from "#tests/test-depth.ts";
import { worstStatus } from "../figures/limits.ts";
import { anySituation, CAP } from "./any-situation.fixture.ts";
import type { Cause, DiagnosisInput } from "./cause.ts";
import { diagnose } from "./diagnose.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

/** Whatever is read, this holds of what is said. */
function always(claim: (judged: { input: DiagnosisInput; causes: Cause[]; verdict: Verdict }) => void): void {
  fc.assert(
    fc.property(anySituation, (input) => {
      const { causes } = diagnose(input);
      claim({ input, causes, verdict: verdictOf(input, causes) });
    }),
    { numRuns: EVERYTHING ? 2000 : 400 },
  );
}

/** Everything that a person reads of a situation. */
function textsOf(causes: readonly Cause[], verdict: Verdict): string[] {
  return [
    ...[verdict.title, verdict.evidence, verdict.more ?? "fine"],
    ...causes.flatMap(({ title, subject, sentence, diagnosis, nextStep, next, evidence }) => [
      ...[title, subject, sentence, diagnosis, nextStep, next.label],
      ...evidence.map(({ label, value }) => `${label}: ${value}`),
    ]),
  ];
}

const NO_SENTENCE = /undefined|null|NaN|Infinity|\[object|(?<!now)\(\)| {2}|:\s*$|[;,:]\s*[;,.]|\.\.(?!\.)|^\s*$/;
const WRONG_PLURAL =
  /(?<![\d,./])1 (?:messages|aggregates|rows|sessions|processes|partitions|times|relays|instances|wait\b|are\b)|(?<![\d,.])(?!1 )\d[\d,]* (?:message|aggregate|row|session|process|partition|time|instance|waits|is)\b/;
const NOTHING_COUNTED = /(?<![\d,.])0 (?:messages|aggregates|rows|sessions|waits?)\b/;
const UNBOUNDED = new RegExp(`(?<!at least |At least )${CAP.toLocaleString("en-US")}|(?<!at least )\\b${CAP}\\b`);

test("what is said is whole sentences, with what was counted in the right number", () => {
  always(({ causes, verdict }) => {
    for (const text of textsOf(causes, verdict)) {
      expect(text).not.toMatch(NO_SENTENCE);
      expect(text).not.toMatch(WRONG_PLURAL);
      expect(text).not.toMatch(NOTHING_COUNTED);
    }
  });
});

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\d./-]+/gu) ?? [];

test("the diagnosis does not say again what the sentence beside it says", () => {
  always(({ causes }) => {
    for (const { sentence, diagnosis } of causes) {
      const said = new Set(wordsOf(sentence));
      const [first = ""] = diagnosis.split(/\. (?=[A-Z])/);
      const words = wordsOf(first);
      const again = words.filter((word) => said.has(word)).length;
      expect(again / words.length, `${sentence} — ${diagnosis}`).toBeLessThan(0.75);
    }
  });
});

test("a count that stopped at its cap is said to be a lower bound", () => {
  always(({ causes, verdict }) => {
    for (const text of textsOf(causes, verdict)) expect(text).not.toMatch(UNBOUNDED);
    for (const { messages, messagesCapped } of causes) expect((messages ?? 0) < CAP || messagesCapped).toBe(true);
  });
});

test("the verdict is the first cause in its words, as bad as the worst, and delivering only without one", () => {
  always(({ causes, verdict }) => {
    const [first] = causes;
    expect(verdict.status).toBe(worstStatus(causes.map(({ severity }) => severity)));
    const paused = causes.some(({ word }) => word === "paused");
    const claims = first?.word === "in_part" || first?.word === "late";
    expect(verdict.word).toBe(paused && claims ? "paused" : (first?.word ?? "delivering"));
    expect(verdict.cause).toBe(first?.sentence ?? null);
    expect(verdict.more === null).toBe(causes.length < 2);
    expect(first?.severity ?? "pass").toBe(verdict.status);
  });
});

test("what is over a limit is never passed over, unless somebody paused the outbox", () => {
  always(({ input, verdict }) => {
    if (input.facts.relays?.pause) return;
    const { judged } = input.figures;
    const worst = worstStatus(Object.values(judged));
    expect(worstStatus([worst, verdict.status])).toBe(verdict.status);
  });
});

test("a cause has one finding, a beginning that is past, and an advice", () => {
  always(({ input, causes }) => {
    const names = causes.map(({ rule, key }) => JSON.stringify([rule, key]));
    expect(new Set(names).size).toBe(names.length);
    for (const { since, nextStep, next, messages } of causes) {
      expect(Date.parse(since)).toBeLessThanOrEqual(Date.parse(input.asOf));
      expect(nextStep.length).toBeGreaterThan(25);
      expect(next.path).toMatch(/^\//);
      expect(messages).not.toBe(0);
    }
  });
});

test("whose heartbeat came last changes nothing while relays are alive", () => {
  always(({ input, causes }) => {
    const { relays } = input.facts;
    if (!relays || causes.some(({ rule }) => ["no_relay_alive", "read_only"].includes(rule))) return;
    const turned = { ...relays, instances: relays.instances.toReversed() };
    expect(diagnose({ ...input, facts: { ...input.facts, relays: turned } }).causes).toEqual(causes);
  });
});

test("a rule that could not be read is not called checked", () => {
  always(({ input }) => {
    expect(diagnose({ ...input, facts: {} }).unread).toEqual(
      expect.arrayContaining([
        "no_relay_alive",
        "locked",
        "blocked_aggregate",
        "failing",
        "old_transaction",
        "monitor_down",
      ]),
    );
  });
});
