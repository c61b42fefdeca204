/** Roles a column of an outbox table may play. `id` and `payload` are required. */
export const COLUMN_ROLES = [
  "id",
  "payload",
  "aggregateType",
  "aggregateId",
  "eventType",
  "topic",
  "headers",
  "createdAt",
  "publishedAt",
  "status",
  "order",
  "availableAt",
  "attempts",
  "lastError",
  "lockedUntil",
  "lockedBy",
  "traceId",
  "expiresAt",
] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** How a time column stores an instant. `zone` is for timestamps without one. */
export type TimeEncoding =
  | { kind: "timestamptz" }
  | { kind: "timestamp"; zone: string }
  | { kind: "epoch"; unit: "s" | "ms" | "us" }
  | { kind: "compact-text"; zone: string };

export interface MappedColumn {
  /** Exactly as in the catalog. */
  name: string;
  /** Type as the catalog prints it, e.g. `uuid`, `character varying(36)`. */
  type: string;
  nullable: boolean;
  /** For time columns. */
  time?: TimeEncoding;
  from: "shape" | "config";
}

/** How the table tells whether a message was published. */
export type Lifecycle =
  /** `column` is null until the message is published. */
  | { kind: "timestamp"; column: MappedColumn }
  /** A column of words; every list may be empty. Words outside all lists are `unknown`. */
  | {
      kind: "status";
      column: MappedColumn;
      pending: string[];
      inFlight: string[];
      failed: string[];
      published: string[];
      dead: string[];
      expired: string[];
      /** Nothing in the catalog or the configuration names the words: they are the usual ones, in the default's spelling first. */
      guessed?: boolean;
    }
  /** A boolean that is true once published. */
  | { kind: "flag"; column: MappedColumn }
  /** A row that exists is unpublished; a published row is deleted. */
  | { kind: "delete" }
  /** The row says nothing: progress is elsewhere. */
  | { kind: "log" }
  /** Nothing that is known says it: every row is in state unknown, and none is published or changed. */
  | { kind: "unknown" };

export interface TableName {
  schema: string;
  name: string;
}

/** Which column plays which role in one outbox table, and how the table tells a message's state. */
export interface OutboxMapping {
  table: TableName;
  /** Columns of the primary key, in key order; never empty for an outbox that can be acted on. */
  primaryKey: MappedColumn[];
  columns: Partial<Record<ColumnRole, MappedColumn>> & { id: MappedColumn; payload: MappedColumn };
  lifecycle: Lifecycle;
  /** With an `attempts` column: a message that is not published is dead from this many attempts on. Null: no such rule. */
  deadAttempts: number | null;
  /** A table of the same columns that the team archives into. */
  archiveTable: TableName | null;
  /** Slug of the recognised shape, `generic` or `configured`. */
  shape: string;
}
