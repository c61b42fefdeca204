import { expect, test } from "vitest";
import { isSampled, parseTraceparent, traceContextIn, traceIdOf } from "./trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const PARENT = `00-${TRACE}-${SPAN}-01`;

test("a valid traceparent is read; a sampled one and an unsampled one differ in the flag only", () => {
  expect(parseTraceparent(PARENT)).toEqual({ traceId: TRACE, spanId: SPAN, flags: 1 });
  expect(parseTraceparent(` ${PARENT.toUpperCase()} `)?.traceId).toBe(TRACE);
  const [sampled, unsampled] = [PARENT, `00-${TRACE}-${SPAN}-00`].map(parseTraceparent);
  expect([sampled && isSampled(sampled), unsampled && isSampled(unsampled)]).toEqual([true, false]);
});

test("what the specification calls invalid is no context", () => {
  const invalid = [
    ...["", "x", `ff-${TRACE}-${SPAN}-01`, `00-${"0".repeat(32)}-${SPAN}-01`, `00-${TRACE}-${"0".repeat(16)}-01`],
    ...[`00-${TRACE}-${SPAN}`, `00-${TRACE}0-${SPAN}-01`, `00-${TRACE}-${SPAN}-1g`],
  ];
  expect(invalid.map(parseTraceparent)).toEqual(invalid.map(() => null));
});

test("headers carry it as a member, as an entry, in a text of JSON, or as Java's properties", () => {
  const shapes = [
    JSON.stringify({ a: 1, traceparent: PARENT }),
    JSON.stringify({ Traceparent: PARENT }),
    JSON.stringify([{ key: "traceparent", value: PARENT }]),
    JSON.stringify({ headers: JSON.stringify({ traceparent: PARENT }) }),
    `#Mon Nov 24\ntraceparent=${PARENT}\n`,
  ];
  for (const headers of shapes) expect(traceContextIn(headers)?.traceId, headers).toBe(TRACE);
  for (const headers of [
    null,
    "{}",
    JSON.stringify({ "x-traceparents": "1" }),
    JSON.stringify({ traceparent: "none" }),
  ])
    expect(traceContextIn(headers)).toBeNull();
});

test("a column for traces may hold a trace id in any spelling, or a traceparent", () => {
  const dashed = "4bf92f35-77b3-4da6-a3ce-929d0e0e4736";
  expect([TRACE, TRACE.toUpperCase(), dashed, PARENT].map(traceIdOf)).toEqual([TRACE, TRACE, TRACE, TRACE]);
  expect(["", "order-1", "0".repeat(32)].map(traceIdOf)).toEqual([null, null, null]);
});
