import type { OutboxMapping } from "./mapping.ts";

/** What every statement over an outbox needs to know of it. */
export interface OutboxRef {
  name: string;
  mapping: OutboxMapping;
  /** Schema outbox_console is there and may be used. */
  storeSide: boolean;
  maxAttempts: number | null;
  /** Estimated rows of the table. */
  estimatedRows: number;
  /** Its indexes cannot be made concurrently. */
  partitioned?: boolean;
}
