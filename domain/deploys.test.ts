import { describe, expect, test } from "vitest";
import { relateToDeploys } from "./deploys.ts";

const at = (clock: string) => `2026-11-23T${clock}:00.000000Z`;
const deploys = (...clocks: string[]) => clocks.map((clock) => ({ at: at(clock) }));
const group = { firstSeenAt: at("10:00"), lastSeenAt: at("12:00") };

describe("a failure group and deploys", () => {
  test("is new since the newest deploy before its first failure", () => {
    const { newSince, latest } = relateToDeploys(group, deploys("09:58", "08:00"), at("13:00"));
    expect(newSince?.at).toBe(at("09:58"));
    expect(latest).toBe(null);
  });
  test("goes on after a later deploy, or has ended with it", () => {
    expect(relateToDeploys(group, deploys("11:00"), at("13:00")).latest?.stillFails).toBe(true);
    expect(relateToDeploys(group, deploys("11:00", "12:30"), at("13:00")).latest).toEqual({
      deploy: { at: at("12:30") },
      stillFails: false,
    });
  });
  test("has nothing to do with a deploy days before, in the future, or without times of its own", () => {
    const old = [{ at: "2026-11-20T10:00:00.000000Z" }];
    expect(relateToDeploys(group, [...old, ...deploys("14:00")], at("13:00"))).toEqual({
      newSince: null,
      latest: null,
    });
    const untimed = { firstSeenAt: null, lastSeenAt: null };
    expect(relateToDeploys(untimed, deploys("09:00"), at("13:00"))).toEqual({ newSince: null, latest: null });
  });
});
