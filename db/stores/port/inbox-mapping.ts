import type { MappedColumn, TableName } from "./mapping.ts";

/** Which column plays which role in one inbox or processed-events table. */
export interface InboxMapping {
  table: TableName;
  primaryKey: MappedColumn[];
  /** The message id given by its producer. */
  messageId: MappedColumn;
  consumer: MappedColumn | null;
  eventType: MappedColumn | null;
  receivedAt: MappedColumn | null;
  /** Null while a message is received but not processed, if the table distinguishes the two. */
  processedAt: MappedColumn | null;
  /** A row may be received and not yet processed. */
  tracksProcessing: boolean;
  shape: string;
}
