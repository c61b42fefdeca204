import { expect, test } from "vitest";
import { staleRows } from "./stale-rows.ts";

const STOPPED = { asOf: "2026-11-20T10:00:00.5Z", clockAt: "2026-11-20T10:01:00.5Z", standsStill: true };

test("rows of a standby that has stood still for a minute are not those of now", () => {
  expect(staleRows(STOPPED)).toMatch(/^the server is a standby .* its rows are those of 2026-11-20 10:00:00 UTC$/);
});

test("rows are taken for those of now where the standby follows, or has just stopped to", () => {
  expect(staleRows({ ...STOPPED, standsStill: false })).toBeNull();
  expect(staleRows({ ...STOPPED, clockAt: "2026-11-20T10:00:59Z" })).toBeNull();
});
