import { describe, expect, test } from "vitest";
import type { Stage } from "../incident.ts";
import type { Scene } from "../scene.ts";
import { disagreements, mismatches, withoutFigures } from "./mismatches.ts";
import { agreeingReading, CAUSE, verdictOf } from "./reading.fixture.ts";
import type { Reading } from "./reading.ts";

const STAGE: Stage = {
  word: "not_delivering",
  status: "fail",
  rule: "sink_unavailable",
  cause: [/ECONNREFUSED/, /125 wait/],
};
/** Only stages with `also` use it. */
const SCENE = {} as Scene;

describe("mismatches", () => {
  test("has none when every surface is as expected", () => {
    expect(mismatches(agreeingReading(), STAGE, SCENE)).toEqual([]);
  });

  test("checks every surface, so one that lags is enough", () => {
    const reading = agreeingReading();
    Object.assign(reading.findings.body ?? {}, { verdict: verdictOf([]) });
    expect(mismatches(reading, STAGE, SCENE).join("\n")).toMatch(/findings: the word is delivering/);
  });

  test("requires health to name the cause", () => {
    const reading = agreeingReading();
    Object.assign(reading.health.body ?? {}, { output: "the oldest message waits 31 s" });
    expect(mismatches(reading, STAGE, SCENE).join("\n")).toMatch(/health says "the oldest message waits 31 s"/);
  });

  test("allows different counts and ages at different instants", () => {
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

describe("disagreements of surfaces read at different instants", () => {
  const warned = { ...CAUSE, severity: "warn" as const };
  /** Snapshots before and after its severity rises; one surface is read before that moment and the others after it. */
  const [before, after] = [agreeingReading([warned]), agreeingReading()];
  const mixed = (behind: Partial<Reading>) => ({ ...agreeingReading(), ...behind });
  const BEHIND: [string, Partial<Reading>][] = [
    ["the list", { list: before.list }],
    ["the findings", { findings: before.findings }],
    ["health", { health: before.health }],
  ];

  test.each(BEHIND)("%s may still agree with the previous reading's snapshot", (_, behind) => {
    expect(disagreements(mixed(behind))).toHaveLength(1);
    expect(disagreements(mixed(behind), [before, after])).toEqual([]);
  });

  test.each(BEHIND)("%s may already agree with the next reading's snapshot", (_, ahead) => {
    expect(disagreements(mixed(ahead), [after, before])).toEqual([]);
  });

  test.each(BEHIND)("%s contradicts when the snapshot has not changed", (_, wrong) => {
    expect(disagreements(mixed(wrong), [after, after])).toHaveLength(1);
    expect(disagreements(mixed(wrong), [mixed(wrong), mixed(wrong)])).toHaveLength(1);
  });

  test("finds a surface that contradicts only sometimes, whichever way the snapshot changed", () => {
    const other = { ...CAUSE, sentence: "the database does not answer" };
    const { findings } = agreeingReading([other]);
    expect(disagreements(mixed({ findings }), [before, after]).join("\n")).toMatch(/findings says .*does not answer/);
    expect(disagreements(mixed({ findings, list: before.list }), [before, after])).toHaveLength(1);
  });
});

test("withoutFigures keeps the words", () => {
  expect(withoutFigures("1,250 wait since 06:03:55 UTC, the oldest 2 m 16 s")).toBe("# wait since # UTC, the oldest #");
});
