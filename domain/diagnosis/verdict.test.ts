import fc from "fast-check";
import { expect, test } from "vitest";
import { diagnose } from "./diagnose.ts";
import type { Figures } from "./facts/figures.ts";
import type { RelayReading } from "./facts/relays.ts";
import type { StoreFacts } from "./facts/store-facts.ts";
import {
  ASOF,
  ago,
  BREAKER,
  DEAD,
  due,
  HEAD,
  HOLDER,
  judged,
  RELAY,
  ROUTE,
  relays,
  SLOT,
  situation,
  waits,
} from "./situation.fixture.ts";
import { verdictOf } from "./verdict.ts";

test("the larger fault comes first, and the other is counted", () => {
  const { verdict } = judged({
    figures: waits(134, 70, { dead: 4_656, judged: { oldestPending: "warn", dead: "fail", failed: "pass" } }),
    facts: { relays: relays({ routes: [ROUTE] }), dead: [DEAD] },
  });
  expect(verdict.cause).toMatch(/^4,656 messages of invoice\.rendered are dead/);
  expect(verdict.more).toMatch(/^and 1 more: every delivery of invoice\.rendered fails/);
  expect(verdict.status).toBe("fail");
});

test("rates of the last sample promise no end of a backlog of which nothing goes out now", () => {
  const figures = waits(132, 13, { inPerSecond: 16, outPerSecond: 17 });
  expect(judged({ figures }).verdict.evidence).toContain("drained in about");
  const down = judged({ figures, facts: { relays: relays({ breaker: BREAKER, lastPublishedAt: ago(13) }) } }).verdict;
  expect(down.word).toBe("not_delivering");
  expect(down.evidence).not.toContain("drained");
});

test("no end is promised of a backlog that is not counted, and a count that stopped says at least", () => {
  const figures = { ...waits(50_000, 13, { inPerSecond: 16, outPerSecond: 17 }), failed: 50_000, failedCapped: true };
  const { evidence } = judged({ figures: { ...figures, waitingCapped: true } }).verdict;
  expect(evidence).toContain("drained in at least 13 h 53 m.");
  expect(evidence).toContain("At least 50,000 failed and will be tried again.");
  expect(judged({ figures: { ...figures, waitingKnown: false } }).verdict.evidence).not.toContain("drained");
});

test("a paused outbox delivers nothing, not a part, whatever else is over its limit", () => {
  const pause = { reason: "maintenance", by: "ada", until: null };
  const { verdict } = judged({
    figures: waits(20, 5, { dead: 4_656, judged: { oldestPending: "pass", dead: "fail", failed: "pass" } }),
    facts: { relays: { ...relays({}), pause }, dead: [DEAD] },
  });
  expect(verdict).toMatchObject({ word: "paused", title: "Paused", status: "fail" });
  expect(verdict.cause).toMatch(/^4,656 messages of invoice\.rendered are dead/);
  expect(verdict.more).toMatch(/^and 1 more: paused /);
});

test("what is not known is not called delivering", () => {
  const { verdict } = judged({ figures: { waitingKnown: false } });
  expect(verdict.evidence).not.toContain("Nothing waits");
  expect(judged({ settings: { mode: "observe" }, figures: { waiting: 3, outPerSecond: null } }).verdict.title).toBe(
    "Within its limits",
  );
});

test("where no row says whether it was sent, nothing is called waiting, delivering or read in vain", () => {
  const untold = { settings: { untold: true, mode: "observe" as const }, figures: { waitingKnown: false } };
  const { verdict, causes } = judged(untold);
  expect(causes).toEqual([]);
  expect(verdict).toMatchObject({
    title: "Within its limits",
    evidence: expect.stringMatching(/^No row says whether it was published\./),
  });
  const figures = { ...untold.figures, unknownBecause: "another session has locked the whole table" };
  expect(judged({ ...untold, figures }).causes.map(({ rule }) => rule)).toEqual(["not_known"]);
});

test("where the relay marks no row, the log that is not confirmed is told, and never that nothing waits", () => {
  const settings = { byLog: true };
  const facts = { relays: relays({ stream: { ...SLOT, connected: true, lagBytes: 120_000 } }) };
  expect(judged({ settings, facts }).verdict.evidence).toMatch(
    /^Nothing is recorded as waiting; 120 kB of log is not confirmed\./,
  );
  expect(judged({ settings, facts, figures: waits(3, 8) }).verdict.evidence).toMatch(
    /^At least 3 messages wait, the oldest 8.0 s \(limit 5 m\); 120 kB of log is not confirmed\./,
  );
  expect(judged({ settings }).verdict.evidence).toMatch(/; how far the log was read is not known\./);
});

const STATUS = fc.constantFrom("pass" as const, "warn" as const, "fail" as const);
const rate = fc.option(fc.double({ min: 0, max: 500, noNaN: true }), { nil: null });
const figures: fc.Arbitrary<Partial<Figures>> = fc.record({
  waiting: fc.nat(10_000),
  waitingKnown: fc.boolean(),
  failed: fc.nat(500),
  dead: fc.nat(5_000),
  oldestSeconds: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: null }),
  oldestClaimSeconds: fc.option(fc.nat(1_000), { nil: null }),
  inPerSecond: rate,
  outPerSecond: rate,
  judged: fc.record({ oldestPending: STATUS, dead: STATUS, failed: STATUS }),
});
const facts: fc.Arbitrary<Partial<StoreFacts>> = fc.record({
  relays: fc
    .record({
      breaker: fc.constantFrom<RelayReading["breaker"]>(null, BREAKER),
      routes: fc.constantFrom<RelayReading["routes"]>([], [ROUTE]),
      heartbeatAt: fc.nat(60).map(ago),
      lastPublishedAt: fc.option(fc.nat(600).map(ago), { nil: null }),
      state: fc.constantFrom<string>("owner", "standby", "paused", "holding", "stopping", "stopped"),
      paused: fc.boolean(),
    })
    .map(({ paused, ...change }) =>
      relays({ ...RELAY, ...change }, { pause: paused ? { reason: "move", by: "ana", until: null } : null }),
    ),
  blocked: fc.constantFrom([], [HEAD], [{ ...HEAD, waiting: 0 }]),
  lockHolders: fc.constantFrom([], [HOLDER]),
  dead: fc.constantFrom([], [DEAD], [DEAD, { ...DEAD, eventType: null, code: "unroutable" }]),
  waiting: fc.nat(600).map((seconds) => due(9, seconds)),
});

test("whatever is read, the verdict follows from its causes and hides nothing", () => {
  fc.assert(
    fc.property(figures, facts, (someFigures, someFacts) => {
      const input = situation({ figures: someFigures, facts: someFacts });
      const { causes } = diagnose(input);
      const verdict = verdictOf(input, causes);
      const names = causes.map(({ rule, key }) => `${rule} ${key}`);
      expect(new Set(names).size).toBe(names.length);
      expect(verdict.word === "delivering").toBe(causes.length === 0);
      const onPurpose = causes.some(({ word }) => word === "paused");
      const { oldestPending } = input.figures.judged;
      const late = oldestPending !== "pass" && input.figures.oldestSeconds !== null;
      if (late) expect(verdict.status).not.toBe("pass");
      if (late && oldestPending === "fail" && !onPurpose) expect(verdict.status).toBe("fail");
      const tooManyFailed = input.figures.judged.failed === "fail" && input.figures.failed > 0;
      if (tooManyFailed && input.facts.blocked) expect(verdict.status).toBe("fail");
      for (const { sentence, since, key } of causes) {
        expect(sentence).not.toMatch(/null|undefined|NaN| {2}|;$|\.$/);
        expect(key).not.toMatch(/\d{4}-\d{2}/);
        expect(Date.parse(since)).toBeLessThanOrEqual(Date.parse(ASOF));
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["retried", "3 failed and will be tried again."],
  ["final", "3 failed and will not be tried again until someone acts."],
  ["unknown", "3 failed; whether they are tried again is not known."],
] as const)("says of failed messages only what is known: %s", (failedMeans, said) => {
  const input = situation({ figures: { failed: 3, waiting: 3 } });
  const asked = { ...input, settings: { ...input.settings, failedMeans } };
  expect(verdictOf(asked, diagnose(asked).causes).evidence).toContain(said);
});
