import { fingerprint } from "#domain/message/fingerprint.ts";
import type { MessageRow } from "../../port/message-row.ts";

/** Failure history of a message, kept with it when it is moved. Instants are RFC 3339. */
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

/** The facts of a row without a record of its failures: the row knows only its last error, and not when it was. */
export function factsOfRow(row: MessageRow): DeadLetterFacts {
  const group =
    row.lastError === null
      ? null
      : fingerprint({ code: row.lastErrorCode ?? "unknown", error: row.lastError, eventType: row.eventType });
  return {
    messageId: row.id,
    attempts: row.attempts ?? 0,
    firstErrorCode: row.lastErrorCode,
    firstError: row.lastError,
    firstFailedAt: null,
    lastErrorCode: row.lastErrorCode,
    lastError: row.lastError,
    lastFailedAt: null,
    fingerprint: group,
  };
}
