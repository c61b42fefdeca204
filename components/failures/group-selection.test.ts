import { expect, test } from "vitest";
import { groupPath } from "#components/outbox/group-address.ts";
import { groupingOf, groupKeyOf } from "#contracts/message/groups.ts";
import { deadLetterOf, retryOf } from "./group-selection.ts";

const recorded = { filter: { state: "failing", group: "00f1" }, selects: true, failed: 46, dead: 3003 };

test("a retry takes failed and dead messages, a dead-letter only the failed ones", () => {
  expect(retryOf(recorded)).toEqual({ filter: { state: "failing", group: "00f1" }, count: 3049 });
  expect(deadLetterOf(recorded)).toEqual({ filter: { state: "failed", group: "00f1" }, count: 46 });
});

test("a group in one state is selected in that state alone", () => {
  expect(retryOf({ ...recorded, failed: 0 })?.filter.state).toBe("dead");
  expect(retryOf({ ...recorded, dead: 0 })?.filter.state).toBe("failed");
});

test("a table's own errors are selected by type and text", () => {
  const filter = { state: "failed", eventType: "order.placed", error: "no FX rate" };
  const native = { filter, selects: true, failed: 2, dead: 0 };
  expect(retryOf(native)?.filter).toEqual({ state: "failed", eventType: "order.placed", error: "no FX rate" });
});

test("a group by code or type is selected among failed and dead messages, and no others of its type", () => {
  const ofType = { filter: { state: "failing", eventType: "order.placed" }, selects: true, failed: 2, dead: 7 };
  expect(retryOf(ofType)).toEqual({ filter: { state: "failing", eventType: "order.placed" }, count: 9 });
  const ofCode = { ...ofType, filter: { state: "failing", errorCode: "timeout" } };
  expect(deadLetterOf(ofCode)).toEqual({ filter: { state: "failed", errorCode: "timeout" }, count: 2 });
});

test("failures that no filter finds alone are not acted on as a group: others would be among them", () => {
  expect(retryOf({ filter: { state: "dead" }, selects: false, failed: 0, dead: 7 })).toBeNull();
});

test("the group without a fingerprint has an address too", () => {
  expect(groupKeyOf(groupPath("").slice("/failures/".length))).toBe("");
  expect(groupPath("00f1")).toBe("/failures/00f1");
});

test.each([
  ["code", "server_error"],
  ["type", "order.placed"],
  ["type", "none"],
  ["type", ""],
  ["type", "code:x/y %"],
] as const)("a group by %s %s has an address of its own", (by, key) => {
  const segment = decodeURIComponent(groupPath(key, by).slice("/failures/".length));
  expect([groupingOf(segment), groupKeyOf(segment)]).toEqual([by, key]);
});
