import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { keyMatch, messageIdExpression, quoteTable } from "../tables/mapping-sql.ts";
import { summaryOfRow } from "../tables/row-image.ts";

/** What is known of a message's failures, kept with it when it is moved. Same order as the parameters below. */
export interface DeadLetterFacts {
  messageId: string;
  attempts: number;
  firstErrorCode: string | null;
  firstError: string | null;
  firstFailedAt: string | null;
  lastErrorCode: string | null;
  lastError: string | null;
  lastFailedAt: string | null;
  fingerprint: string | null;
}

/**
 * Moves rows out of their table into outbox_console.dead_letter in one statement: the image is of the very row version
 * that is deleted. Parameters: $1 outbox, $2 who, $3 facts as a JSON array of DeadLetterFacts, $4.. key arrays of
 * `keyParameters`. Returns one row per moved message: message_id.
 */
export function deadLetterStatement(mapping: OutboxMapping): string {
  const summary = summaryOfRow(mapping);
  const names = Object.keys(summary);
  return `WITH gone AS (
      DELETE FROM ${quoteTable(mapping.table)} t WHERE ${keyMatch(mapping, "t", 4)}
      RETURNING ${messageIdExpression(mapping, "t")} AS message_id, ${names.map((name) => `${summary[name]} AS ${name}`).join(", ")})
    INSERT INTO outbox_console.dead_letter (outbox, dead_by, message_id, ${names.join(", ")},
      attempts, first_error_code, first_error, first_failed_at, last_error_code, last_error, last_failed_at, fingerprint)
    SELECT $1, $2, gone.message_id, ${names.map((name) => `gone.${name}`).join(", ")},
      coalesce(f.attempts, 0), f."firstErrorCode", f."firstError", f."firstFailedAt", f."lastErrorCode", f."lastError", f."lastFailedAt", f.fingerprint
    FROM gone LEFT JOIN json_to_recordset($3::json) AS f("messageId" text, attempts int, "firstErrorCode" text, "firstError" text, "firstFailedAt" timestamptz,
      "lastErrorCode" text, "lastError" text, "lastFailedAt" timestamptz, fingerprint text) ON f."messageId" = gone.message_id
    RETURNING message_id`;
}
