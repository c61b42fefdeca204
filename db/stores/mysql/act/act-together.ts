import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { type AppError, isAppError } from "#domain/errors.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRequest } from "../../port/verb.ts";
import { ARCHIVED_DEAD_LETTER, DUE_NOW } from "../../shared/act/act-sentences.ts";
import { requireOtherState, statesBefore } from "../../shared/act/require-written.ts";
import { isConstraint } from "../connection/database-error.ts";
import type { Session } from "../connection/session.ts";
import { toStoreError } from "../connection/to-store-error.ts";
import { findMessages } from "../read/find-messages.ts";
import { archiveDeadLetters } from "./archive-message.ts";
import { bringBack, resetMessages } from "./retry-message.ts";

interface Together {
  found: readonly FoundMessage[];
  /** The request for each of them, apart from the message. */
  request: VerbRequest;
  keyIndex: string;
  /** Collects the refusals by message id. */
  failures: Map<string, AppError>;
}

/** Outcome texts of messages on which `actTogether` has acted. */
export const DONE = { retry: DUE_NOW, archive: ARCHIVED_DEAD_LETTER } as const;

/**
 * Retries or archives dead messages that the caller has locked, in a few statements for all of them. If one is refused,
 * for example because it cannot go back into its table, the statement fails for all. Then each half is tried, which is
 * faster than one by one.
 */
export async function actTogether(session: Session, ref: OutboxRef, together: Together): Promise<void> {
  const { found, failures } = together;
  const [one] = found;
  if (!one) return;
  const failure = await unlessRefused(session, ref, () => actOnAll(session, ref, together));
  if (!failure) return;
  if (found.length === 1) {
    failures.set(one.row.id, failure);
    return;
  }
  const half = Math.ceil(found.length / 2);
  await actTogether(session, ref, { ...together, found: found.slice(0, half) });
  await actTogether(session, ref, { ...together, found: found.slice(half) });
}

async function actOnAll(session: Session, ref: OutboxRef, { found, request, keyIndex }: Together): Promise<void> {
  const moved = found.filter(({ place }) => place === "dead_letter");
  if (request.action === "archive") return archiveDeadLetters(session, ref, moved, request);
  if (moved.length > 0) await bringBack(session, ref, moved);
  // All in one statement: relays publish them in its order.
  await resetMessages(session, ref, found, keyIndex);
  await requireReset(session, ref, found);
}

/** Throws if a row that was written is in the state from before. */
async function requireReset(session: Session, ref: OutboxRef, found: readonly FoundMessage[]): Promise<void> {
  const before = statesBefore(found);
  for (const { id, state } of await findMessages(session, ref, [...before.keys()]))
    requireOtherState({ mapping: ref.mapping, action: "retry", before: before.get(id) ?? "unknown", after: state });
}

/**
 * If the work is refused, undoes its changes and returns the refusal; null if it succeeds. Throws errors that end the
 * transaction, such as a deadlock, and those that do not depend on the messages.
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
