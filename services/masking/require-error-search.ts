import { AppError } from "#domain/errors.ts";
import { type Actor, hasRole } from "#domain/operator.ts";
import { maskerFor } from "../outboxes/outbox-of.ts";
import type { OutboxHandle } from "../runtime.ts";

/**
 * A search by a part of an error would tell, guess by guess, what is masked in it, so it needs the role operator where
 * something is. Throws: forbidden.
 */
export async function requireErrorSearch(
  handle: OutboxHandle,
  actor: Actor,
  filter: { error?: string | undefined },
): Promise<void> {
  if (filter.error === undefined || hasRole(actor, "operator")) return;
  if ((await maskerFor(handle)) === null) return;
  const message =
    "Errors of this outbox are masked, and searching their text needs the role operator. Filter by error code instead.";
  throw new AppError("forbidden", message);
}
