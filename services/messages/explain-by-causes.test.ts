import { expect, test } from "vitest";
import type { MessageDetail } from "#contracts/message/messages.ts";
import type { CauseCode } from "#domain/diagnosis/words.ts";
import { claimedReasons, outboxReasons, routeReasons, silenceReasons } from "./explain-by-causes.ts";

const cause = (rule: CauseCode, key: string) => ({ rule, key, sentence: `${key} is wrong`, nextStep: "Repair it." });
const ROUTE = cause("route_failing", "event_type invoice.rendered");

type Neighbour = [eventType: string, state: string, createdAt: number];

/** A message of the second 5, and others of its aggregate. */
function detail(eventType: string, others: readonly Neighbour[] = []) {
  const of = (id: string, [type, state, createdAt]: Neighbour) =>
    ({ id, eventType: type, aggregateId: "a-1", state, createdAt: `2026-01-01T00:00:0${createdAt}Z` }) as const;
  const message = of("9", [eventType, "pending", 5]);
  const rows = [message, ...others.map((other, n) => of(String(n), other))];
  const neighbours = rows.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
  return { message, neighbours } as unknown as MessageDetail;
}

test("a message of a type that fails says so, with the step of the finding", () => {
  const reasons = routeReasons({ detail: detail("invoice.rendered"), causes: [ROUTE] }, true);
  expect(reasons).toMatchObject([
    { rule: "route_failing", text: "Event_type invoice.rendered is wrong.", next: "Repair it." },
  ]);
});

test.each([3, 5])("a message behind one of a failing type waits for it, if order is kept (second %i)", (second) => {
  const behind = { detail: detail("order.paid", [["invoice.rendered", "pending", second]]), causes: [ROUTE] };
  expect(routeReasons(behind, true)[0]?.text).toBe(
    "It waits behind a message of a-1: event_type invoice.rendered is wrong.",
  );
  expect(routeReasons(behind, false)).toEqual([]);
});

test.each<Neighbour>([
  ["invoice.rendered", "published", 3],
  ["invoice.rendered", "dead", 3],
  ["invoice.rendered", "archived", 3],
  ["invoice.rendered", "expired", 5],
  ["invoice.rendered", "pending", 7],
  ["order.shipped", "pending", 3],
])("a message beside %s that is %s and of second %i does not wait for it", (...other) => {
  expect(routeReasons({ detail: detail("order.paid", [other]), causes: [ROUTE] }, true)).toEqual([]);
});

test("what is wrong with the outbox explains a message only if it holds messages back", () => {
  const causes = [cause("locked", "lock"), cause("dead_letters", "dead"), cause("monitor_down", "monitor")];
  expect(outboxReasons(causes).map(({ rule }) => rule)).toEqual(["locked"]);
});

test("a claimed message whose mark is refused is not said to be under way first", () => {
  const causes = [cause("no_progress", "progress"), cause("overdue", "overdue")];
  const message = { ...detail("order.paid").message, state: "in_flight" as const };
  expect(claimedReasons({ message }, causes).map(({ rule }) => rule)).toEqual(["no_progress"]);
  expect(claimedReasons(detail("order.paid"), causes)).toEqual([]);
});

test("relays that are silent because the database takes no writes are not said to be dead", () => {
  const known = [cause("read_only", "the server"), cause("overdue", "the oldest message")];
  expect(silenceReasons(known).map(({ rule }) => rule)).toEqual(["read_only"]);
  expect(silenceReasons([cause("no_relay_alive", "the relay")])).toEqual([]);
});
