import { describe, expect, test } from "vitest";
import type { Stage } from "../incident.ts";
import type { Scene } from "../scene.ts";
import { mismatches, withoutFigures } from "./mismatches.ts";
import { agreeingReading, CAUSE, verdictOf } from "./reading.fixture.ts";

const STAGE: Stage = {
  word: "not_delivering",
  status: "fail",
  rule: "sink_unavailable",
  cause: [/ECONNREFUSED/, /125 wait/],
};
/** Only stages with `also` look at it. */
const SCENE = {} as Scene;

describe("mismatches", () => {
  test("has none where every surface says what is expected", () => {
    expect(mismatches(agreeingReading(), STAGE, SCENE)).toEqual([]);
  });

  test("asks every surface, so that one that is behind is enough", () => {
    const reading = agreeingReading();
    Object.assign(reading.findings.body ?? {}, { verdict: verdictOf([]) });
    expect(mismatches(reading, STAGE, SCENE).join("\n")).toMatch(/findings: the word is delivering/);
  });

  test("wants health to name the cause", () => {
    const reading = agreeingReading();
    Object.assign(reading.health.body ?? {}, { output: "the oldest message waits 31 s" });
    expect(mismatches(reading, STAGE, SCENE).join("\n")).toMatch(/health says "the oldest message waits 31 s"/);
  });

  test("allows for other counts and ages at other instants", () => {
    const reading = agreeingReading();
    const later = verdictOf([{ ...CAUSE, sentence: CAUSE.sentence.replace("125", "1,250") }]);
    Object.assign(reading.findings.body ?? {}, { verdict: later });
    expect(mismatches(reading, { word: "not_delivering" }, SCENE)).toEqual([]);
  });

  test.each([
    [{ status: "warn" } satisfies Stage, /the status is fail and not warn/],
    [{ rule: ["locked", "overdue"] } satisfies Stage, /the rule is sink_unavailable and not locked or overdue/],
    [{ more: [/refund/] } satisfies Stage, /what ranks lower, "null", does not match/],
    [{ title: /^Late/ } satisfies Stage, /does not match \/\^Late\//],
  ])("names what differs from %o", (stage, expected) => {
    expect(mismatches(agreeingReading(), stage, SCENE).join("\n")).toMatch(expected);
  });
});

test("withoutFigures leaves the words", () => {
  expect(withoutFigures("1,250 wait since 06:03:55 UTC, the oldest 2 m 16 s")).toBe("# wait since # UTC, the oldest #");
});
