import type { ClaimRule, Condition, NewValue, StateRules, VerbRules } from "./table-rules.ts";

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

/** How a time column stores an instant. `zone` is the time zone of values stored without one. */
export type TimeEncoding =
  | { kind: "timestamptz" }
  | { kind: "timestamp"; zone: string }
  | { kind: "epoch"; unit: "s" | "ms" | "us" | "ns" }
  | { kind: "compact-text"; zone: string };

export interface MappedColumn {
  /** Exactly as in the catalog. */
  name: string;
  /** Type as the catalog prints it, e.g. `uuid`, `character varying(36)`. */
  type: string;
  nullable: boolean;
  /** For time columns. */
  time?: TimeEncoding;
  /** For a due time: an index is on rows without one, so null means due. */
  nullIsDue?: true;
  /** For a due time that every new row has: a tried row without one was given up or held back. */
  nullIsOver?: true;
  /** For the published time: an unpublished row has a placeholder, such as 0. */
  hasUnset?: true;
  /** For the holder of a row and for an error: a new row has an empty text, which the team's relay may search for. */
  emptyAtFirst?: true;
  /** For the end of a claim: a new row has this placeholder, such as 0, with which the team's relay may compare. */
  atFirst?: string;
  /** The database computes it, so that nothing can be written there. */
  generated?: true;
  from: "shape" | "config";
}

/** A value of a status that means pending. Null: a row without a status is new. */
export type PendingWord = string | null;

/** How the table marks published messages. */
export type Lifecycle =
  /** `column` is null until the message is published. */
  | { kind: "timestamp"; column: MappedColumn }
  /** A status column. Every list may be empty; a word in no list means state `unknown`. */
  | {
      kind: "status";
      column: MappedColumn;
      /** The only list that may have a null. */
      pending: PendingWord[];
      inFlight: string[];
      failed: string[];
      published: string[];
      dead: string[];
      expired: string[];
      /**
       * Neither the catalog nor the configuration lists the words. These are the usual words; spelled like the default
       * value first.
       */
      guessed?: boolean;
      /**
       * With `guessed`: the words known to be in use, from the configuration, the default, an index predicate or the
       * rows. Only these may be written.
       */
      shown?: readonly PendingWord[];
      /** Other columns that refine the state of a row. */
      marks?: readonly StatusMark[];
    }
  /** A boolean that is true once published. */
  | { kind: "flag"; column: MappedColumn }
  /** An existing row is unpublished; published rows are deleted. */
  | { kind: "delete" }
  /**
   * Our relay publishes from the log and marks no row: only its place in the log and its records of failed, waiting and
   * dead messages show what was sent. `native`: the columns with marks from before, or from other programs.
   */
  | { kind: "log"; native?: Extract<Lifecycle, { kind: "timestamp" | "status" | "flag" }> }
  /**
   * A known library's table: its own conditions, and what makes its query take or leave a row. The library publishes.
   */
  | {
      kind: "rules";
      /** Name of the library; with `reading`, the owner of the table. */
      owner: string;
      /** For a table that no library owns: sentence that names the columns by which its rows are read. */
      reading?: string;
      /** Shown as the row's own status; null if no single column has it. */
      shown: MappedColumn | null;
      /** Sentence: why rows that were sent may be deleted; absent if that is not known. */
      sentRowsMayGo?: string;
      states: StateRules<MappedColumn>;
      verbs: VerbRules<MappedColumn, TableName>;
      /** Every column of the rules. */
      columns: readonly MappedColumn[];
    }
  /** No row says its state, because progress is kept in `where`, a clause: every row is in state unknown. */
  | { kind: "untold"; owner: string; where: string }
  /** No mark is known: every row is in state unknown, and none is published or changed. */
  | { kind: "unknown" };

/**
 * For a row that is unsent by its status: `dead`, it was given up; `failed`, an attempt failed; `withdrawn`, it was
 * taken back, and its state is unknown. For a row that is published by its status: `doubted`, it was not published or
 * is to be sent again, and its state is unknown.
 */
export interface StatusMark {
  kind: "dead" | "failed" | "withdrawn" | "doubted";
  column: MappedColumn;
  holds: Condition<MappedColumn>;
  cleared: NewValue;
  marked: NewValue;
  /** Completes "when …". */
  says: string;
}

/** A lifecycle that columns or the configuration show, without a library's rules. */
export type MarkedLifecycle = Exclude<Lifecycle, { kind: "rules" | "untold" }>;

export interface TableName {
  schema: string;
  name: string;
}

/** Which column plays which role in one outbox table, and how the table marks a message's state. */
export interface OutboxMapping {
  table: TableName;
  /** Columns of the primary key, in key order; never empty for an outbox that can be acted on. */
  primaryKey: MappedColumn[];
  columns: Partial<Record<ColumnRole, MappedColumn>> & { id: MappedColumn; payload: MappedColumn };
  lifecycle: Lifecycle;
  /** With an `attempts` column: number of attempts at which an unpublished message is dead. Null: no such rule. */
  deadAttempts: number | null;
  /** The row's own number of attempts at which it is dead, unless the configuration has one for all rows. */
  attemptsLimit?: MappedColumn;
  /** Marks by which a publisher holds a waiting row, if no column has the end of its claim. */
  claim?: ClaimRule<MappedColumn>;
  /** Further columns that a retry resets, without a role: marks by which a publisher held the row. */
  resets?: readonly { column: MappedColumn; to: NewValue }[];
  /**
   * Error column of another publisher, where a time or a flag marks sent rows and nothing counts attempts: an error
   * shows that an attempt failed. Not used with our own relay: it records failures, and leaves errors of attempts that
   * it refunds in the row.
   */
  errorMark?: MappedColumn;
  /**
   * Error column of another publisher that may count an attempt when it begins: a count of 1 without an error does not
   * show that an attempt failed.
   */
  errorOfFirst?: MappedColumn;
  /** Whether the table's publisher retries a failed message; absent where the columns have to show it. */
  failedMeans?: "retried" | "final" | "unknown";
  /** A table with the same columns into which the team archives. */
  archiveTable: TableName | null;
  /** Slug of the recognised shape, `generic` or `configured`. */
  shape: string;
}

/** Column of the primary key that marks a message's state, so that its id changes with it; null where the id stays. */
export function changingKeyColumn(mapping: Pick<OutboxMapping, "lifecycle" | "primaryKey" | "columns">): string | null {
  const marks = [tellerOf(mapping)?.name, mapping.columns.publishedAt?.name];
  return mapping.primaryKey.find(({ name }) => marks.includes(name))?.name ?? null;
}

/** The single column that marks a message's state; null where there is none. */
export function tellerOf(mapping: Pick<OutboxMapping, "lifecycle">): MappedColumn | null {
  return mapping.lifecycle.kind === "flag" ? mapping.lifecycle.column : shownStatus(mapping);
}

/** The column whose value is shown as the row's own status; null if no single column has it. */
export function shownStatus({ lifecycle }: Pick<OutboxMapping, "lifecycle">): MappedColumn | null {
  if (lifecycle.kind === "status") return lifecycle.column;
  return lifecycle.kind === "rules" ? lifecycle.shown : null;
}
