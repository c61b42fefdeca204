import type { OutboxMapping } from "./mapping.ts";
import type { MappingFingerprint } from "./mapping-fingerprint.ts";

/** What every statement over an outbox needs to know of it. */
export interface OutboxRef {
  name: string;
  mapping: OutboxMapping;
  /** Schema outbox_console is there and may be used. */
  storeSide: boolean;
  /** The mapping as it was accepted; verbs change nothing in a table that is no longer like it. */
  accepted?: MappingFingerprint;
  maxAttempts: number | null;
  /** Estimated rows of the table. */
  estimatedRows: number;
  /** Its indexes cannot be made concurrently. */
  partitioned?: boolean;
}
