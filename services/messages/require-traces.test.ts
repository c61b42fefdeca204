import { expect, test } from "vitest";
import type { OutboxHandle } from "../runtime.ts";
import { requireTraces } from "./require-traces.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const handle = (findsTraces: true | { no: string }, columns: object) =>
  ({ name: "orders", mapping: { columns }, store: { capabilities: { findsTraces } } }) as unknown as OutboxHandle;

test("a store that cannot search by trace says why, whatever the table has", () => {
  const no = "Messages in DynamoDB cannot be searched by trace.";
  expect(() => requireTraces(handle({ no }, { headers: {} }), { traceId })).toThrow(no);
});

test("without a column to look in the setting is named, and without a trace nothing is refused", () => {
  expect(() => requireTraces(handle(true, {}), { traceId })).toThrow("columns.traceId");
  expect(() => requireTraces(handle(true, { headers: {} }), { traceId })).not.toThrow();
  expect(() => requireTraces(handle(true, {}), {})).not.toThrow();
});
