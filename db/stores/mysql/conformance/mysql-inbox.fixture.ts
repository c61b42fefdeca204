import type { InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { MysqlTestDatabase } from "#tests/mysql.ts";
import type { InboxUnderTest } from "../../conformance/store-under-test.fixture.ts";
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

export async function createInbox(database: MysqlTestDatabase, tracks: boolean): Promise<InboxUnderTest> {
  const table = tracks ? "inbox" : "processed_events";
  const received = tracks ? ["received_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)"] : [];
  const consumer = tracks ? "consumer varchar(200) NOT NULL DEFAULT ''" : "consumer varchar(200) NOT NULL";
  await database.query(
    `CREATE TABLE ${table} (${["message_id varchar(200) NOT NULL", consumer, ...received, "processed_at datetime(6)", "PRIMARY KEY (consumer, message_id)"].join(", ")})`,
  );
  const messageId = column("message_id", "varchar(200)");
  const mapping: InboxMapping = {
    table: { schema: database.name, name: table },
    primaryKey: [column("consumer", "varchar(200)"), messageId],
    messageId,
    consumer: column("consumer", "varchar(200)"),
    eventType: null,
    receivedAt: tracks ? datetime("received_at") : null,
    processedAt: datetime("processed_at"),
    tracksProcessing: tracks,
    mark: { kind: "time", column: datetime("processed_at"), always: !tracks },
    error: null,
    shape: "configured",
  };
  return {
    name: "billing",
    mapping,
    insert: (rows) =>
      insertAll(
        database,
        table,
        rows.map(({ messageId: id, consumer: by = "billing", receivedAt, processedAt }) => ({
          message_id: id,
          consumer: by,
          ...(tracks && receivedAt ? { received_at: datetimeOf(receivedAt) } : {}),
          processed_at: processedAt === null ? null : datetimeOf(processedAt),
        })),
      ),
  };
}
