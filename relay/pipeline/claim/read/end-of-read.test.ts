import { expect, test } from "vitest";
import type { ClaimResult } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { endOfRead } from "./end-of-read.ts";

const NOW_MS = Date.parse("2026-01-02T00:00:00Z");
const AN_HOUR_AGO = "2026-01-01T23:00:00Z";
const JUST_NOW = "2026-01-01T23:59:59Z";
const place = (n: number): OrderKey => [String(n), String(n)];

function endOf(input: {
  at: number | null;
  createdAt?: string;
  last: number | null;
  more?: boolean;
  partial?: boolean;
  mayEnd?: boolean;
}) {
  const { at, createdAt = AN_HOUR_AGO, last, more = false, partial = false, mayEnd = true } = input;
  const claim = at === null ? null : { token: "t", messages: [{ order: place(at), createdAt }] };
  const result = { claim, more, partial, last: last === null ? null : place(last), databaseTimeMs: NOW_MS };
  const { reached, aged } = endOfRead(result as ClaimResult, compareOrder, () => mayEnd);
  return [reached === null ? null : Number(reached[0]), aged];
}

test.each([
  { case: "nothing in the table", read: { at: null, last: null }, end: [null, false] },
  { case: "an old message", read: { at: 5, last: null }, end: [5, true] },
  { case: "a young message", read: { at: 5, createdAt: JUST_NOW, last: null }, end: [5, false] },
  {
    case: "an old message in a part of the table",
    read: { at: 5, last: null, more: true, partial: true },
    end: [null, false],
  },
  { case: "an old message, which is the table's last row", read: { at: 5, last: 5 }, end: [5, true] },
  { case: "an old message, after which the table has a row of unknown age", read: { at: 5, last: 9 }, end: [9, false] },
  { case: "an old message that came after the last row was looked for", read: { at: 9, last: 5 }, end: [9, true] },
  { case: "a full page", read: { at: 5, last: 9, more: true }, end: [5, true] },
  { case: "the last row alone", read: { at: null, last: 9 }, end: [9, false] },
  { case: "a last row that may not be the end of the order", read: { at: 5, last: 9, mayEnd: false }, end: [5, true] },
])("a read ends with $case", ({ read, end }) => {
  expect(endOf(read)).toEqual(end);
});
