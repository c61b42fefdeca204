import type { OutboxMapping } from "./mapping.ts";
import type { MappingFingerprint } from "./mapping-fingerprint.ts";

/** Input of every statement on an outbox. */
export interface OutboxRef {
  name: string;
  mapping: OutboxMapping;
  /** Schema outbox_console exists and this user may use it. */
  storeSide: boolean;
  /** The mapping as accepted; verbs change nothing if the table no longer matches it. */
  accepted?: MappingFingerprint;
  maxAttempts: number | null;
  /** Estimated rows of the table. */
  estimatedRows: number;
  /** If true, its indexes cannot be created concurrently. */
  partitioned?: boolean;
}
