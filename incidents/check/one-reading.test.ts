import { describe, expect, test } from "vitest";
import { contradictionsIn } from "./one-reading.ts";
import { agreeingReading, CAUSE, verdictOf } from "./reading.fixture.ts";

type Planted = ReturnType<typeof agreeingReading>;

/** The planted contradiction, and the sentence that must report it. */
const PLANTED: [string, (reading: Planted) => void, RegExp][] = [
  [
    "health passes over a failure",
    ({ health }) => Object.assign(health.body ?? {}, { status: "pass" }),
    /health\?outbox=orders: pass was answered with 503/,
  ],
  [
    "a failure is answered 200",
    ({ wholeHealth }) => Object.assign(wholeHealth, { code: 200 }),
    /health: fail was answered/,
  ],
  [
    "another finding is first",
    ({ findings }) =>
      findings.body?.findings.unshift({ ...findings.body.findings[0], id: "b2", sentence: "other" } as never),
    /findings: the first says "other"/,
  ],
  [
    "a cause begins in the future",
    ({ snapshot }) =>
      Object.assign(snapshot.body ?? {}, { verdict: verdictOf([{ ...CAUSE, since: "2026-11-22T06:07:10Z" }]) }),
    /since 2026-11-22T06:07:10Z, as of/,
  ],
  [
    "the sentence says another time than the cause",
    ({ snapshot }) =>
      Object.assign(snapshot.body ?? {}, { verdict: verdictOf([{ ...CAUSE, since: "2026-11-22T06:01:00Z" }]) }),
    /says another time/,
  ],
  [
    "what waits has no age",
    ({ snapshot }) => Object.assign(snapshot.body ?? {}, { oldestPending: null }),
    /125 messages are not published and none of them has an age/,
  ],
  [
    "a cause holds up what does not wait",
    ({ snapshot }) => {
      const nothing = { value: 0, precision: "exact" as const };
      const verdict = verdictOf([{ ...CAUSE, rule: "blocked_aggregate" }]);
      Object.assign(snapshot.body?.counts ?? {}, { pending: nothing });
      Object.assign(snapshot.body ?? {}, { verdict });
    },
    /by its figures nothing waits/,
  ],
  [
    "the fleet counts wrongly",
    ({ list }) => Object.assign(list.body?.fleet ?? {}, { title: "0 of 1 not delivering" }),
    /"0 of 1 not delivering", and 1 are/,
  ],
  [
    "the fleet is better than its worst outbox",
    ({ list }) => Object.assign(list.body?.fleet ?? {}, { status: "pass" }),
    /its status is pass and the worst outbox's fail/,
  ],
  [
    "delivering with a cause",
    ({ snapshot }) => Object.assign(snapshot.body?.verdict ?? {}, { status: "pass", word: "delivering" }),
    /the status is pass with 1 causes/,
  ],
  [
    "a broken contract",
    ({ findings }) => Object.assign(findings, { contractBroken: true, error: "asOf: required" }),
    /contract/,
  ],
];

describe("contradictionsIn", () => {
  test("finds nothing where all surfaces agree", () => {
    expect(contradictionsIn(agreeingReading())).toEqual([]);
    expect(contradictionsIn(agreeingReading([]))).toEqual([]);
  });

  test.each(PLANTED)("finds that %s", (_, plant, expected) => {
    const reading = agreeingReading();
    plant(reading);
    expect(contradictionsIn(reading).join("\n")).toMatch(expected);
  });
});
