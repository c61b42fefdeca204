import { AppError } from "#domain/errors.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";

/**
 * If a table has no word for dead and the row must stay, only our records can mark the message dead. Our relay reads
 * them; another program that publishes the table would continue to send the message. Throws wrong_state if our relay
 * does not serve the outbox. `reason`: a clause.
 */
export function requireLeaving({ maxAttempts }: OutboxRef, reason: string): void {
  if (maxAttempts !== null) return;
  throw new AppError(
    "wrong_state",
    `This message cannot be dead-lettered: its row must stay in the table (${reason}), and no column says dead, so the program that publishes the table would still send it. Name a word under lifecycle.dead, or a number under deadAttempts, that this program respects.`,
  );
}
