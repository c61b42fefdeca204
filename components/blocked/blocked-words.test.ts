import { expect, test } from "vitest";
import type { BlockedAggregate } from "#contracts/outbox/blocked.ts";
import { describeBehind, describeBlock, describeExtent, describeWaiting } from "./blocked-words.ts";

const PAUSE = { reason: "INC-42", by: "ada", at: "2026-11-22T03:00:00Z", until: null, held: false };
const blocked = (fields: Partial<BlockedAggregate>): BlockedAggregate => ({
  ...{ aggregateKey: "order/1", aggregateType: "order", aggregateId: "1", kind: "failing" },
  ...{ since: "2026-11-22T03:00:00Z", head: null, pauses: [], waiting: { value: 3, precision: "exact" } },
  ...fields,
});

test("a count that stopped at its cap is at least that many, and one that was not made is said so", () => {
  expect(describeWaiting(blocked({}))).toBe("3");
  expect(describeWaiting({ waiting: { value: 10_000, precision: "capped" } })).toBe("10,000+");
  expect(describeWaiting({ waiting: { value: 0, precision: "unknown" } })).toBe("not counted");
  expect(describeBehind(blocked({}))).toBe("3 wait behind");
  expect(describeBehind({ waiting: { value: 1, precision: "exact" } })).toBe("1 waits behind");
  expect(describeBehind({ waiting: { value: 0, precision: "unknown" } })).toBe("waiting not counted");
});

test("each reason is said in one line, with a pause that comes on top", () => {
  const head = { lastError: "HTTP 500\nno FX rate", lastErrorCode: "server_error" } as BlockedAggregate["head"];
  expect(describeBlock(blocked({ head }))).toBe("HTTP 500");
  expect(describeBlock(blocked({ head, pauses: [PAUSE] }))).toBe("HTTP 500; also paused by ada: INC-42");
  expect(describeBlock(blocked({ kind: "paused", pauses: [PAUSE] }))).toBe("paused by ada: INC-42");
  expect(describeBlock(blocked({ kind: "held", head, pauses: [{ ...PAUSE, by: "relay", held: true }] }))).toBe(
    "held behind a dead message: HTTP 500",
  );
  expect(describeBlock(blocked({}))).toBe("failed, without an error recorded");
});

test("a page that is not whole says so", () => {
  const list = { aggregates: [blocked({})], nextCursor: null, looked: 4, asOf: "", unknown: null };
  expect(describeExtent(list)).toBe("1 aggregate");
  expect(describeExtent({ ...list, nextCursor: "c" })).toBe("1 aggregate; more follow");
  expect(describeExtent({ ...list, aggregates: [], nextCursor: "c", looked: 600 })).toBe(
    "none among 600 looked at; more follow",
  );
});
