import { expect, test } from "vitest";
import { fingerprintOf, groupPath } from "./group-address.ts";
import { deadLetterOf, retryOf } from "./group-selection.ts";

const recorded = { filter: { state: "dead", group: "00f1" }, failed: 46, dead: 3003 };

test("a retry takes failed and dead messages, a dead-letter only the failed ones", () => {
  expect(retryOf(recorded)).toEqual({ filter: { state: "all", group: "00f1" }, count: 3049 });
  expect(deadLetterOf(recorded)).toEqual({ filter: { state: "failed", group: "00f1" }, count: 46 });
});

test("a group in one state is selected in that state alone", () => {
  expect(retryOf({ ...recorded, failed: 0 })?.filter.state).toBe("dead");
  expect(retryOf({ ...recorded, dead: 0 })?.filter.state).toBe("failed");
});

test("a table's own errors are selected by type and text", () => {
  const native = { filter: { state: "failed", eventType: "order.placed", error: "no FX rate" }, failed: 2, dead: 0 };
  expect(retryOf(native)?.filter).toEqual({ state: "failed", eventType: "order.placed", error: "no FX rate" });
});

test("failures that only a state selects are not acted on as a group: others would be among them", () => {
  expect(retryOf({ filter: { state: "dead" }, failed: 0, dead: 7 })).toBeNull();
  expect(retryOf({ filter: { state: "dead", eventType: "order.placed" }, failed: 0, dead: 7 })).toBeNull();
});

test("the group without a fingerprint has an address too", () => {
  expect(fingerprintOf(groupPath("").slice("/failures/".length))).toBe("");
  expect(groupPath("00f1")).toBe("/failures/00f1");
});
