import type { MappedColumn, TableName } from "./mapping.ts";
import type { Condition } from "./table-rules.ts";

/** How an inbox says that a message was processed. */
export type InboxMark =
  /** `column` is null until the message is processed; `always`: a row has a time from the start, so it is processed. */
  | { kind: "time"; column: MappedColumn; always: boolean; failed?: FailedWords; ends?: FailedMarks }
  /** A boolean that is true once the message is processed. */
  | { kind: "flag"; column: MappedColumn; failed?: FailedWords; ends?: FailedMarks }
  /** A status column. A word in no list is neither processed nor failed. */
  | { kind: "status"; column: MappedColumn; processed: string[]; failed: string[] }
  /** A known library's table: the library's own conditions. */
  | {
      kind: "rules";
      processed: Condition<MappedColumn>;
      failed: Condition<MappedColumn> | null;
      /** Every column of the conditions. */
      columns: readonly MappedColumn[];
    }
  /** The table says only that a message was received. */
  | { kind: "none" };

/** A status column next to a time or a flag, with its words for a message whose processing failed. */
interface FailedWords {
  column: MappedColumn;
  words: string[];
}

/** A condition on columns, such as those next to a time or a flag that say that processing failed or was given up. */
export interface FailedMarks {
  holds: Condition<MappedColumn>;
  columns: readonly MappedColumn[];
}

/** Columns by which an inbox says how far a message is. */
export function columnsOfStates({
  mark,
  untold,
  doubts,
}: Pick<InboxMapping, "mark" | "untold" | "doubts">): readonly MappedColumn[] {
  return [...columnsOfMark(mark), ...(untold?.columns ?? []), ...(doubts?.columns ?? [])];
}

function columnsOfMark(mark: InboxMark): readonly MappedColumn[] {
  if (mark.kind === "none") return [];
  if (mark.kind === "rules") return mark.columns;
  if (mark.kind === "status") return [mark.column];
  return [mark.column, ...(mark.failed ? [mark.failed.column] : []), ...(mark.ends?.columns ?? [])];
}

/** Which column plays which role in one inbox or processed-events table. */
export interface InboxMapping {
  table: TableName;
  primaryKey: MappedColumn[];
  /** The message id given by its producer; with `byPosition` the record's offset. */
  messageId: MappedColumn;
  /** Rows name records by topic, partition and offset, so no message of an outbox can be looked up here. */
  byPosition?: true;
  consumer: MappedColumn | null;
  eventType: MappedColumn | null;
  receivedAt: MappedColumn | null;
  /** Time of processing; null while a message is received but not processed, if the table distinguishes the two. */
  processedAt: MappedColumn | null;
  /** True if a row can be received and not yet processed. */
  tracksProcessing: boolean;
  mark: InboxMark;
  /** Rows that were withdrawn, or have a word of unknown meaning: only their receipt is known. */
  untold?: FailedMarks;
  /**
   * Rows that may never be processed, by columns whose meaning is not known: of those that wait by the mark, only the
   * receipt is known.
   */
  doubts?: FailedMarks;
  /** Sentences: what a person has to answer about its columns. */
  question?: string;
  /** Text of the last failure: a row that has one is failed, even if it has a time of processing. */
  error: MappedColumn | null;
  /** A row that was processed may have the error of an earlier attempt. */
  errorStays?: true;
  shape: string;
}
