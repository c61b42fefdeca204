import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import type { ClaimRequest } from "#db/stores/port/relay/claim.ts";
import type { MessageOutcome } from "#db/stores/port/relay/settle.ts";

export const column = (name: string, type: string, time?: MappedColumn["time"]): MappedColumn => ({
  name,
  type,
  nullable: true,
  from: "config",
  ...(time ? { time } : {}),
});

export const timestamptz = (name: string) => column(name, "timestamp with time zone", { kind: "timestamptz" });

/** Maps a table "box", ordered by id, with a publication time. */
export function mapBox(columns: Partial<OutboxMapping["columns"]> = {}): OutboxMapping {
  return {
    table: { schema: "public", name: "box" },
    primaryKey: [column("id", "bigint")],
    columns: {
      id: column("id", "bigint"),
      payload: column("payload", "text"),
      aggregateId: column("aggregate_id", "text"),
      order: column("id", "bigint"),
      ...columns,
    },
    lifecycle: { kind: "timestamp", column: timestamptz("published_at") },
    deadAttempts: null,
    archiveTable: null,
    shape: "configured",
  };
}

/** A claim request that reads everything. */
export const READ_ALL = {
  after: null,
  limit: 1000,
  excludeIds: [],
  excludeAggregates: [],
  maxBytes: 1_000_000,
  wantLast: false,
} satisfies Omit<ClaimRequest, "lease">;

/** A failure that is due again at once. */
export const FAILED: MessageOutcome = {
  kind: "failed",
  startedAt: new Date(),
  durationMs: 1,
  failure: { code: "server_error", kind: "ambiguous", message: "HTTP 500" },
  nextAttemptInMs: 0,
};
