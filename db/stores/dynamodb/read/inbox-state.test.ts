import { expect, test } from "vitest";
import type { InboxMapping } from "../../port/inbox-mapping.ts";
import type { MappedColumn } from "../../port/mapping.ts";
import { inboxStateOf } from "./inbox-state.ts";

const NOW = "2026-03-01T12:00:00.000Z";
const column = (name: string): MappedColumn => ({ name, type: "S", nullable: true, from: "shape" });
const processedAt = column("processed_at");
const expiresAt: MappedColumn = { ...column("expires_at"), time: { kind: "epoch", unit: "s" } };
const mapping = (more: Partial<InboxMapping>): InboxMapping => ({
  table: { schema: "", name: "inbox" },
  primaryKey: [column("message_id")],
  messageId: column("message_id"),
  consumer: null,
  eventType: null,
  receivedAt: null,
  processedAt,
  tracksProcessing: true,
  mark: { kind: "time", column: processedAt, always: false },
  error: null,
  shape: "inbox",
  ...more,
});

const doubts = {
  holds: {
    any: [
      { column: column("shadow"), is: "true" as const },
      { column: expiresAt, is: "past" as const },
    ],
  },
  columns: [column("shadow"), expiresAt],
};
const open = { message_id: { S: "m1" } };

test.each([
  ["waits", open, "unprocessed"],
  ["has a column of unknown meaning", { ...open, shadow: { BOOL: true } }, "received"],
  ["has passed its time", { ...open, expires_at: { N: "1700000000" } }, "received"],
  ["has not passed its time", { ...open, expires_at: { N: "1900000000" } }, "unprocessed"],
  ["has a zero time of processing", { ...open, processed_at: { S: "0001-01-01T00:00:00Z" } }, "received"],
  ["has an empty time of processing", { ...open, processed_at: { S: "" } }, "received"],
  ["was processed, whatever else", { ...open, shadow: { BOOL: true }, processed_at: { S: NOW } }, "processed"],
])("an item that %s", (_, item, state) => {
  expect(inboxStateOf(mapping({ doubts }), item, NOW)).toBe(state);
});

test("an error that is left in an item that was processed says nothing of the last attempt", () => {
  const error = column("error");
  const of = mapping({ error, errorStays: true });
  expect(inboxStateOf(of, { ...open, error: { S: "x" } }, NOW)).toBe("failed");
  expect(inboxStateOf(of, { ...open, error: { S: "x" }, processed_at: { S: NOW } }, NOW)).toBe("processed");
});

test("a status of an untold word leaves that item received, and the others told", () => {
  const status = column("status");
  const mark = { kind: "status" as const, column: status, processed: ["DONE"], failed: ["FAILED"] };
  const untold = { holds: { column: status, in: ["IGNORED"] }, columns: [status] };
  const stateOf = (word: string) => inboxStateOf(mapping({ mark, untold }), { ...open, status: { S: word } }, NOW);
  expect(["NEW", "DONE", "FAILED", "IGNORED"].map(stateOf)).toEqual(["unprocessed", "processed", "failed", "received"]);
});
