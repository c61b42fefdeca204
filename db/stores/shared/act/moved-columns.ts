/** What a delivery row, a dead letter and an archived message record of a message's failures, under one name each. */
export const FAILURES = [
  "firstErrorCode",
  "firstError",
  "firstFailedAt",
  "lastErrorCode",
  "lastError",
  "lastFailedAt",
  "fingerprint",
] as const;

/** Columns that the archive has in common with a delivery row. */
export const DELIVERY_COLUMNS = [
  "outbox",
  "messageId",
  "eventType",
  "createdAt",
  "attempts",
  ...FAILURES,
  "deadAt",
  "deadBy",
] as const;

/** Columns that the archive has in common with a dead letter. */
export const DEAD_LETTER_COLUMNS = [
  ...DELIVERY_COLUMNS,
  "image",
  "aggregateType",
  "aggregateId",
  "publishedAt",
  "payloadBytes",
] as const;
