import { expect, test } from "vitest";
import { describeFilters, everythingBlocked, selectionOf } from "./everything.ts";

const anyone = { actor: { name: "ana", role: "operator" as const }, outbox: undefined };

test("a filter becomes a selection with the same values, and an invalid one becomes none", () => {
  expect(selectionOf({ state: "dead", fields: { eventType: "order.placed", attemptsMin: "3" } })).toEqual({
    state: "dead",
    eventType: "order.placed",
    attemptsMin: 3,
  });
  expect(selectionOf({ state: "dead", fields: { from: "yesterday" } })).toBeNull();
});

test("words name the state and every filter", () => {
  expect(describeFilters({ state: "dead", fields: {} })).toBe("dead messages");
  expect(describeFilters({ state: "unsent", fields: { eventType: "order.placed", error: "SKU" } })).toBe(
    "messages that are not published, type order.placed, error has SKU",
  );
});

test("an action is offered on a tab where it is possible for some message", () => {
  expect(everythingBlocked("retry", { state: "dead", fields: {} }, anyone)).toBeUndefined();
  expect(everythingBlocked("retry", { state: "unsent", fields: {} }, anyone)).toBeUndefined();
  expect(everythingBlocked("archive", { state: "all", fields: {} }, anyone)).toBeUndefined();
  expect(everythingBlocked("archive", { state: "unsent", fields: {} }, anyone)).toContain("dead-letter it first");
  expect(everythingBlocked("retry", { state: "published", fields: {} }, anyone)).toContain("confirmed");
});

test("role and filter come before the state", () => {
  const viewer = { ...anyone, actor: { name: "vi", role: "viewer" as const } };
  expect(everythingBlocked("retry", { state: "dead", fields: {} }, viewer)).toContain("Your role is viewer");
  expect(everythingBlocked("retry", { state: "dead", fields: { from: "x" } }, anyone)).toContain("not valid");
});
