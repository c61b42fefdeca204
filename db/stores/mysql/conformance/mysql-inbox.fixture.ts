import type { InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { MysqlTestDatabase } from "#tests/mysql.ts";
import type { InboxLayout, InboxUnderTest, NewInboxRow } from "../../conformance/store-under-test.fixture.ts";
import { datetimeOf } from "../connection/instant.ts";

export const column = (name: string, type: string, time?: MappedColumn["time"]): MappedColumn => ({
  name,
  type,
  nullable: true,
  from: "config",
  ...(time ? { time } : {}),
});

export const datetime = (name: string) => column(name, "datetime(6)", { kind: "timestamp", zone: "UTC" });

export interface Client {
  query(statement: string, values: readonly unknown[]): Promise<unknown>;
}

/** One transaction, whether the client is in one or not. */
export async function insertAll(
  client: Client,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const names = [...new Set(rows.flatMap(Object.keys))];
  const parameters: unknown[] = [];
  const place = (row: Record<string, unknown>, name: string) => {
    if (!(name in row)) return "DEFAULT";
    parameters.push(row[name]);
    return "?";
  };
  const tuples = rows.map((row) => `(${names.map((name) => place(row, name)).join(", ")})`);
  await client.query(`INSERT INTO ${table} (${names.join(", ")}) VALUES ${tuples.join(", ")}`, parameters);
}

const INBOX_COLUMNS: Record<InboxLayout, readonly string[]> = {
  time: ["received_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)", "processed_at datetime(6)"],
  always: ["processed_at datetime(6)"],
  error: ["received_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)", "processed_at datetime(6)", "error text"],
  flag: ["received_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)", "processed boolean NOT NULL DEFAULT false"],
  status: [
    "received_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)",
    "status varchar(20) NOT NULL DEFAULT 'RECEIVED'",
  ],
  none: ["received_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)"],
};

function inboxMark(layout: InboxLayout): InboxMapping["mark"] {
  switch (layout) {
    case "flag":
      return { kind: "flag", column: column("processed", "tinyint(1)") };
    case "status":
      return { kind: "status", column: column("status", "varchar(20)"), processed: ["PROCESSED"], failed: ["FAILED"] };
    case "none":
      return { kind: "none" };
    default:
      return { kind: "time", column: datetime("processed_at"), always: layout === "always" };
  }
}

function inboxStateOf(layout: InboxLayout, state: NewInboxRow["state"]): Record<string, unknown> {
  if (layout === "error") return { error: state === "failed" ? "no such account" : null };
  if (layout === "flag") return { processed: state === "processed" ? 1 : 0 };
  if (layout !== "status" || !state) return {};
  return { status: state === "unprocessed" ? "RECEIVED" : state.toUpperCase() };
}

export async function createInbox(database: MysqlTestDatabase, layout: InboxLayout): Promise<InboxUnderTest> {
  const table = layout === "always" ? "processed_events" : "inbox";
  const has = (name: string) => INBOX_COLUMNS[layout].some((one) => one.startsWith(`${name} `));
  const consumer = layout === "always" ? "consumer varchar(200) NOT NULL" : "consumer varchar(200) NOT NULL DEFAULT ''";
  await database.query(
    `CREATE TABLE ${table} (${["message_id varchar(200) NOT NULL", consumer, ...INBOX_COLUMNS[layout], "PRIMARY KEY (consumer, message_id)"].join(", ")})`,
  );
  const messageId = column("message_id", "varchar(200)");
  const mapping: InboxMapping = {
    table: { schema: database.name, name: table },
    primaryKey: [column("consumer", "varchar(200)"), messageId],
    messageId,
    consumer: column("consumer", "varchar(200)"),
    eventType: null,
    receivedAt: has("received_at") ? datetime("received_at") : null,
    processedAt: has("processed_at") ? datetime("processed_at") : null,
    tracksProcessing: layout !== "always" && layout !== "none",
    mark: inboxMark(layout),
    error: has("error") ? column("error", "text") : null,
    shape: "configured",
  };
  return {
    name: "billing",
    mapping,
    insert: (rows) =>
      insertAll(
        database,
        table,
        rows.map(({ messageId: id, consumer: by = "billing", receivedAt, processedAt, state }) => ({
          message_id: id,
          consumer: by,
          ...(has("received_at") && receivedAt ? { received_at: datetimeOf(receivedAt) } : {}),
          ...(has("processed_at") ? { processed_at: processedAt === null ? null : datetimeOf(processedAt) } : {}),
          ...inboxStateOf(layout, state),
        })),
      ),
  };
}
