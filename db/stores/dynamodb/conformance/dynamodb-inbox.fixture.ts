import type { TestItem, TestTables } from "#tests/dynamodb/test-tables.ts";
import type { InboxLayout, InboxUnderTest, NewInboxRow } from "../../conformance/store-under-test.fixture.ts";
import type { InboxMapping, InboxMark } from "../../port/inbox-mapping.ts";
import { column, timeColumn } from "./columns.fixture.ts";

/** An inbox in a separate table. */
export async function openInbox(
  tables: TestTables,
  name: string,
  layout: InboxLayout,
): Promise<InboxUnderTest & { table: string }> {
  const table = await createInboxTable(tables, name);
  const insert = (rows: readonly NewInboxRow[]) =>
    tables.put(
      table,
      rows.map((row) => ({
        message_id: { S: row.messageId },
        consumer: { S: row.consumer ?? "billing" },
        received_at: { S: row.receivedAt ?? new Date().toISOString() },
        ...(row.processedAt === null || layout === "none" ? {} : { processed_at: { S: row.processedAt } }),
        ...markOfRow(layout, row),
      })),
    );
  return { table, name, mapping: inboxMapping(name, table, layout), insert };
}

function createInboxTable(tables: TestTables, name: string): Promise<string> {
  return tables.create(name, {
    KeySchema: [
      { AttributeName: "message_id", KeyType: "HASH" },
      { AttributeName: "consumer", KeyType: "RANGE" },
    ],
    AttributeDefinitions: [
      { AttributeName: "message_id", AttributeType: "S" },
      { AttributeName: "consumer", AttributeType: "S" },
    ],
  });
}

function inboxMapping(name: string, table: string, layout: InboxLayout): InboxMapping {
  return {
    table: { schema: table, name },
    primaryKey: [column("message_id", "S"), column("consumer", "S")],
    messageId: column("message_id", "S"),
    consumer: column("consumer", "S"),
    eventType: column("event_type", "text"),
    receivedAt: timeColumn("received_at"),
    processedAt: layout === "none" ? null : timeColumn("processed_at"),
    tracksProcessing: layout !== "always" && layout !== "none",
    mark: inboxMark(layout),
    error: layout === "error" ? column("error", "text") : null,
    shape: "configured",
  };
}

export const INBOX_ATTRIBUTES = {
  event_type: "text",
  received_at: "time",
  processed_at: "time",
  error: "text",
  done: "boolean",
  status: "text",
} as const;

function inboxMark(layout: InboxLayout): InboxMark {
  if (layout === "none") return { kind: "none" };
  if (layout === "flag") return { kind: "flag", column: column("done", "boolean") };
  if (layout === "status")
    return { kind: "status", column: column("status", "text"), processed: ["DONE"], failed: ["FAILED"] };
  return { kind: "time", column: timeColumn("processed_at"), always: layout === "always" };
}

function markOfRow(layout: InboxLayout, row: NewInboxRow): TestItem {
  const state = row.state ?? (row.processedAt === null ? "unprocessed" : "processed");
  if (layout === "flag") return { done: { BOOL: state === "processed" } };
  if (layout === "status") return { status: { S: { processed: "DONE", failed: "FAILED", unprocessed: "NEW" }[state] } };
  return layout === "error" && state === "failed" ? { error: { S: "no stock" } } : {};
}
