import type { MappedColumn, TableName } from "./mapping.ts";
import type { Condition } from "./table-rules.ts";

/** How an inbox says that a message was processed. */
export type InboxMark =
  /** `column` is null until the message is processed; `always`: a row has a time from the start, so it is processed. */
  | { kind: "time"; column: MappedColumn; always: boolean }
  /** A boolean that is true once the message is processed. */
  | { kind: "flag"; column: MappedColumn }
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

/** Which column plays which role in one inbox or processed-events table. */
export interface InboxMapping {
  table: TableName;
  primaryKey: MappedColumn[];
  /** The message id given by its producer. */
  messageId: MappedColumn;
  consumer: MappedColumn | null;
  eventType: MappedColumn | null;
  receivedAt: MappedColumn | null;
  /** Time of processing; null while a message is received but not processed, if the table distinguishes the two. */
  processedAt: MappedColumn | null;
  /** A row may be received and not yet processed. */
  tracksProcessing: boolean;
  mark: InboxMark;
  /** Text of the last failure: a row that has one is failed, even if it has a time of processing. */
  error: MappedColumn | null;
  shape: string;
}
