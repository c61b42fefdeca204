import { expect, test } from "vitest";
import { liveOptions } from "./live-options.ts";

test("a pause stops every way of asking again", () => {
  expect(liveOptions({ intervalMs: 2_000, paused: true })).toMatchObject({
    refetchInterval: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
});

test("costly answers keep their slower pace", () => {
  expect(liveOptions({ intervalMs: 1_000, paused: false }, { atLeastMs: 10_000 }).refetchInterval).toBe(10_000);
  expect(liveOptions({ intervalMs: 60_000, paused: false }, { atLeastMs: 10_000 }).refetchInterval).toBe(60_000);
});

test("a settled answer is not asked for again", () => {
  expect(liveOptions({ intervalMs: 2_000, paused: false }, { refresh: false }).refetchInterval).toBe(false);
});
