import { expect, test } from "vitest";
import { liveOptions } from "./live-options.ts";

test("a pause stops every kind of refetch", () => {
  expect(liveOptions({ intervalMs: 2_000, paused: true })).toMatchObject({
    refetchInterval: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
});

test("expensive requests keep their longer interval", () => {
  expect(liveOptions({ intervalMs: 1_000, paused: false }, { atLeastMs: 10_000 }).refetchInterval).toBe(10_000);
  expect(liveOptions({ intervalMs: 60_000, paused: false }, { atLeastMs: 10_000 }).refetchInterval).toBe(60_000);
});

test("a settled answer is not refetched", () => {
  expect(liveOptions({ intervalMs: 2_000, paused: false }, { refresh: false }).refetchInterval).toBe(false);
});
