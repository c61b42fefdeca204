import type { OutboxMapping } from "../../port/mapping.ts";
import { isWritten } from "../../port/written-columns.ts";

/**
 * A retry makes the message due now in its own column: where the table counts attempts or keeps a status, that column is
 * the time of the next attempt, and not only the one for which the producer scheduled it.
 */
export function resetsNextAttempt({ columns: { attempts, availableAt }, lifecycle }: OutboxMapping): boolean {
  return isWritten(availableAt) && (attempts !== undefined || lifecycle.kind === "status");
}
