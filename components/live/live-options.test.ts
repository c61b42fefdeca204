import { expect, test } from "vitest";
import { ApiError } from "#components/api/api-error.ts";
import { liveOptions } from "./live-options.ts";

const ANSWERED = { state: { data: { asOf: "2026-03-01T10:00:00Z" }, error: null } };
const SILENT = {
  state: { data: ANSWERED.state.data, error: new ApiError({ status: 503, code: "unavailable", message: "" }) },
};
const REFUSED = { state: { data: undefined, error: new ApiError({ status: 404, code: "not_found", message: "" }) } };
const UNREADABLE = {
  state: { data: ANSWERED.state.data, error: new ApiError({ status: 200, code: "contract", message: "" }) },
};
const TOO_MANY = {
  state: { data: ANSWERED.state.data, error: new ApiError({ status: 429, code: "internal", message: "" }) },
};
const BLIND = { state: { data: { outboxes: [{ figures: null }] }, error: null } };

test("a pause stops every kind of refetch of what was answered", () => {
  const options = liveOptions({ intervalMs: 2_000, paused: true });
  expect(options).toMatchObject({ refetchOnWindowFocus: false, refetchOnReconnect: false });
  for (const query of [ANSWERED, REFUSED]) expect(options.refetchInterval(query)).toBe(false);
});

test("a pause does not stop a question that was not answered: the page would say for ever that the database is silent", () => {
  const options = liveOptions({ intervalMs: 2_000, paused: true });
  for (const query of [SILENT, UNREADABLE, TOO_MANY, BLIND]) expect(options.refetchInterval(query)).toBe(2_000);
});

test("expensive requests keep their longer interval", () => {
  const options = { atLeastMs: 10_000 };
  expect(liveOptions({ intervalMs: 1_000, paused: false }, options).refetchInterval(ANSWERED)).toBe(10_000);
  expect(liveOptions({ intervalMs: 60_000, paused: false }, options).refetchInterval(ANSWERED)).toBe(60_000);
});

test("a settled answer is not refetched", () => {
  expect(liveOptions({ intervalMs: 2_000, paused: false }, { refresh: false }).refetchInterval(ANSWERED)).toBe(false);
});

test("a panel beside the figures is refreshed with them, without making them old by its silence", () => {
  const live = { intervalMs: 2_000, paused: false };
  expect(liveOptions(live).meta).toEqual({ live: true, freshness: true });
  expect(liveOptions(live, { freshness: false }).meta).toEqual({ live: true, freshness: false });
});
