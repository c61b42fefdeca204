import { AppError } from "#domain/errors.ts";
import { type Actor, hasRole } from "#domain/operator.ts";
import { maskerFor } from "../outboxes/outbox-of.ts";
import type { OutboxHandle } from "../runtime.ts";

/**
 * A search by a part of an error would reveal its masked values guess by guess, so it needs the role operator if values
 * are masked. Throws: forbidden.
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
