/** A doubt about the mapping that stops publishing and actions until a person decides. */
export interface MappingStop {
  /** What is unknown or has changed; a sentence. */
  message: string;
  /** What to decide, and where. */
  remedy: string;
  severity: "warn" | "fail";
}

/** A table with messages that were not sent: it was the outbox's table, or a partition of it, and is not any more. */
export interface LeftBehind {
  how: "renamed" | "detached";
  /** The outbox's table: `schema.table`. */
  table: string;
  /** The other one, under its present name. */
  earlier: string;
  /** Its unsent messages that the outbox's table does not have; null if they could not be counted. */
  messages: number | null;
  capped: boolean;
  /** Published rows are deleted: what the outbox's table does not have any more may have been published. */
  maybePublished: boolean;
}

/** How the relay's claim finds waiting messages, if that costs more than it should. */
export interface RelayScans {
  /** Index that the claim walks over; null: the table itself. */
  index: string | null;
  /** Dead messages in the index, if it serves the claim; null if it does not. */
  dead: number | null;
  deadCapped: boolean;
  tableBytes: number;
  /** SQL of the index to create. */
  sql: string;
  /** Indexes of the table that no statement may use, because their build has failed or still runs. */
  invalid?: readonly string[];
}

/** A column of the table whose values the database counts up or down. */
export interface NumberedColumn {
  column: string;
  type: string;
  /** The sequence, or AUTO_INCREMENT. */
  counter: string;
  /** Numbers that are left; null if the counter may not be read. */
  left: number | null;
  total: number;
  limitedBy: "type" | "counter";
  /** The store's statement that gives the column a wider range; null if there is none. */
  widenStatement: string | null;
}

/** Partitions of the table by ranges of one time. */
export interface PartitionFacts {
  /** Partitions that follow the current one without a gap. */
  ahead: number;
  /** Time until inserts have no partition but the default one, by the first gap; null if there is no end. */
  runwaySeconds: number | null;
  hasDefault: boolean;
  /** Rows in the default partition, about; null without one. */
  defaultRows: number | null;
  /** Partitions whose detach is not finished. */
  detaching: string[];
  /** A program that creates partitions itself; null if none was found. */
  managedBy: string | null;
}
