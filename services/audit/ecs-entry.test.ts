import { expect, test } from "vitest";
import type { AuditEntry } from "#contracts/message/messages.ts";
import { ndjsonLine } from "../export/ndjson-line.ts";
import { ECS_FIELDS, ecsCells } from "./ecs-entry.ts";

const RETRY: AuditEntry = {
  ...{ id: "shop/17", at: "2026-11-23T10:00:00.000001Z", actor: "ada", role: "admin", action: "message.retry" },
  ...{
    outbox: "orders",
    inbox: null,
    messageId: "m-1",
    operationId: "o-1",
    outcome: "done",
    reason: 'broker "back"\n',
  },
  ...{ stateBefore: "dead", stateAfter: "pending", detail: null },
};
const ecsOf = (more: Partial<AuditEntry>) => JSON.parse(ndjsonLine(ECS_FIELDS, ecsCells({ ...RETRY, ...more })));

test("an entry has the fields of the Elastic Common Schema, and ours below our name", () => {
  expect(ecsOf({})).toEqual({
    "@timestamp": "2026-11-23T10:00:00.000001Z",
    message: 'ada: message.retry of m-1 in orders: done, broker "back"\n',
    ecs: { version: "8.11.0" },
    event: {
      ...{ kind: "event", category: ["database"], type: ["change"], dataset: "outbox_console.audit" },
      ...{ id: "shop/17", action: "message.retry", outcome: "success", reason: 'broker "back"\n' },
    },
    user: { name: "ada", roles: ["admin"] },
    service: { name: "outbox-console" },
    labels: { outbox: "orders" },
    outbox_console: {
      ...{ outcome: "done", message_id: "m-1", operation_id: "o-1", state_before: "dead", state_after: "pending" },
    },
  });
});

test.each([
  ["request.denied", "refused", "api", "denied", "failure"],
  ["token.make", "done", "iam", "creation", "success"],
  ["messages.export", "begun", "database", "access", "unknown"],
  ["messages.export", "cut", "database", "access", "failure"],
  ["message.reveal", "done", "database", "access", "success"],
  ["mapping.accept", "done", "configuration", "change", "success"],
  ["incident.note", "done", "api", "change", "success"],
])("%s that is %s is %s, %s, %s", (action, outcome, category, type, result) => {
  const { event } = ecsOf({ action, outcome });
  expect([event.category, event.type, event.outcome]).toEqual([[category], [type], result]);
});
