import { expect, test } from "vitest";
import type { InboxMessage } from "#contracts/outbox/inboxes.ts";
import { filledColumns } from "./filled-columns.ts";

const MESSAGE: InboxMessage = {
  id: "1",
  messageId: "m-1",
  consumer: null,
  eventType: null,
  state: "processed",
  receivedAt: null,
  processedAt: "2026-11-21T03:05:14Z",
  ageSeconds: 0,
};

test("a column without values is left out, one with zeros is not", () => {
  expect([...filledColumns([MESSAGE])]).toEqual(["state", "message", "processed", "age"]);
  expect(filledColumns([MESSAGE, { ...MESSAGE, consumer: "loyalty" }]).has("consumer")).toBe(true);
});

test("before the first answer every column is shown", () => {
  expect(filledColumns(undefined).size).toBe(7);
});
