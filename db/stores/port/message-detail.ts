import type { AuditRow } from "./audit.ts";
import type { MessageRow } from "./message-row.ts";

/** A stored value as text, cut where it is long. */
export interface StoredText {
  text: string;
  totalBytes: number;
  shownBytes: number;
  format: "json" | "text" | "base64";
}

/** A stored value byte for byte. */
export interface StoredBytes {
  /** The first bytes; of a column that is not binary, of its text in UTF-8. */
  bytes: Uint8Array;
  totalBytes: number;
  kind: "binary" | "text" | "json";
  /** As the database calls it. */
  columnType: string;
}

/** Which stored bytes of a message to read. */
export interface BytesRequest {
  /** Both when left out. */
  part?: "payload" | "headers";
  /** Most bytes of each value. */
  most: number;
  /** Of a longer value, reads the first bytes (`cut`, the default) or only the length. */
  longer?: "cut" | "length";
}

/** Payload and headers of a message; null for a value that is null, has no column or was not asked for. */
export interface MessageBytes {
  payload: StoredBytes | null;
  headers: StoredBytes | null;
}

export interface MessageContent {
  payload: StoredText | null;
  headers: StoredText | null;
  columns: { name: string; value: string | null }[];
}

export interface AttemptRow {
  number: number;
  startedAt: string;
  durationMs: number | null;
  outcome: "published" | "failed" | "dead" | "given_back";
  code: string | null;
  error: string | null;
  relay: string | null;
  sink: string | null;
  first: boolean;
}

export interface MessageHistory {
  /** Newest first, at most 100; always includes the first attempt. */
  attempts: AttemptRow[];
  firstError: string | null;
  claim: { owner: string; startedAt: string; expired: boolean } | null;
  /** Newest first, at most 50. */
  audit: AuditRow[];
}

/** Everything a store knows about one message, from one snapshot. */
export interface StoredMessage {
  row: MessageRow;
  content: MessageContent;
  history: MessageHistory;
  /** Messages of the same aggregate around it, itself included. */
  neighbours: MessageRow[];
  /** Why there may be more of them near it; null if all were looked for. */
  neighboursUnread: string | null;
  /** Published later messages of its aggregate, up to 1,000; null if this one is published or if it is unknown. */
  laterPublished: number | null;
  /** Statement to read the row with the store's own tools. */
  statement: string;
  asOf: string;
}
