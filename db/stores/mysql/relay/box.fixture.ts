import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import type { ClaimRequest } from "#db/stores/port/relay/claim.ts";

export const column = (name: string, type: string, time?: MappedColumn["time"]): MappedColumn => ({
  name,
  type,
  nullable: true,
  from: "config",
  ...(time ? { time } : {}),
});

export const datetime = (name: string) => column(name, "datetime(6)", { kind: "timestamp", zone: "UTC" });

/** Maps a table "box", ordered by id, with a publication time. */
export function mapBox(database: string, columns: Partial<OutboxMapping["columns"]> = {}): OutboxMapping {
  return {
    table: { schema: database, name: "box" },
    primaryKey: [column("id", "bigint")],
    columns: {
      id: column("id", "bigint"),
      payload: column("payload", "longtext"),
      aggregateId: column("aggregate_id", "varchar(100)"),
      order: column("id", "bigint"),
      createdAt: datetime("created_at"),
      publishedAt: datetime("published_at"),
      ...columns,
    },
    lifecycle: { kind: "timestamp", column: datetime("published_at") },
    deadAttempts: null,
    archiveTable: null,
    shape: "configured",
  };
}

export const CREATE_BOX = `CREATE TABLE box (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, aggregate_id varchar(100),
  payload longtext, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), published_at datetime(6),
  KEY waiting (published_at, id))`;

/** A claim request that reads everything. */
export const READ_ALL = {
  after: null,
  limit: 1000,
  excludeIds: [],
  excludeAggregates: [],
  maxBytes: 1_000_000,
  wantLast: false,
} satisfies Omit<ClaimRequest, "lease">;
