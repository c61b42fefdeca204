import type { AppError } from "#domain/errors.ts";
import { isAppError } from "#domain/errors.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { isConstraint } from "../connection/database-error.ts";
import type { Session } from "../connection/session.ts";
import { toStoreError } from "../connection/to-store-error.ts";
import type { FoundMessage } from "../read/find-message.ts";
import { bringBack, resetMessages } from "./retry-message.ts";

interface Retrying {
  found: readonly FoundMessage[];
  keyIndex: string;
  /** Gets those that cannot be retried, by their ids. */
  failures: Map<string, AppError>;
}

/**
 * Retries dead messages that the caller has locked, in a few statements for all of them. If one cannot go back into its
 * table, the statement fails for all: then each half is tried, so that the others need not be done one by one.
 */
export async function retryTogether(session: Session, ref: OutboxRef, retrying: Retrying): Promise<void> {
  const { found, failures } = retrying;
  const [one] = found;
  if (!one) return;
  const failure = await unlessRefused(session, ref, () => retryAll(session, ref, retrying));
  if (!failure) return;
  if (found.length === 1) {
    failures.set(one.row.id, failure);
    return;
  }
  const half = Math.ceil(found.length / 2);
  await retryTogether(session, ref, { ...retrying, found: found.slice(0, half) });
  await retryTogether(session, ref, { ...retrying, found: found.slice(half) });
}

async function retryAll(session: Session, ref: OutboxRef, { found, keyIndex }: Retrying): Promise<void> {
  const moved = found.filter(({ place }) => place === "dead_letter");
  if (moved.length > 0) await bringBack(session, ref, moved);
  // All in one statement: relays publish them in its order.
  await resetMessages(session, ref, found, keyIndex);
}

/**
 * Takes back what the work has changed if it is refused, and returns the refusal; null if it is done. Throws what ends
 * the transaction, such as a deadlock, and what does not depend on the messages.
 */
async function unlessRefused(session: Session, ref: OutboxRef, work: () => Promise<void>): Promise<AppError | null> {
  await session.run("SAVEPOINT item");
  try {
    await work();
  } catch (error) {
    if (!isAppError(error) && !isConstraint(error)) throw error;
    await session.run("ROLLBACK TO SAVEPOINT item");
    return toStoreError(error, `outbox ${ref.name}`);
  }
  await session.run("RELEASE SAVEPOINT item");
  return null;
}
