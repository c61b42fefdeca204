import { type SQL, sql } from "drizzle-orm";
import { claimStates } from "./compile-condition.ts";
import { all, any, grouped, isNotTrue, isTrue, NEVER } from "./conditions.ts";
import { isPlaceholder } from "./expiry.ts";
import { ruledStates, type StatedRow, type Status } from "./state-predicates.ts";

/** In flight by the table itself: a relay (ours or the team's) is publishing the message. */
export function nativeInFlight(outbox: StatedRow): SQL {
  const { lifecycle, columns, claim } = outbox.mapping;
  if (lifecycle.kind === "rules") return ruledStates(outbox, lifecycle).inFlight;
  const locked = columns.lockedUntil
    ? isTrue(outbox.conditions.isFuture(columns.lockedUntil, 0))
    : claimStates(claim, outbox.conditions).inFlight;
  if (lifecycle.kind !== "status") return locked;
  const marked = isTrue(outbox.conditions.isIn(lifecycle.column, lifecycle.inFlight));
  const byWord = columns.lockedUntil ? grouped(all(marked, locked)) : marked;
  return any(byWord, heldUnsent(outbox, lifecycle, locked));
}

/**
 * A claim holds a row whose status is still a waiting one. A claim without an end counts only if the row has not
 * failed.
 */
function heldUnsent(outbox: StatedRow, { column, pending, failed: failing }: Status, held: SQL): SQL {
  if (held === NEVER) return NEVER;
  const words = outbox.mapping.columns.lockedUntil ? [...pending, ...failing] : pending;
  return words.length === 0 ? NEVER : grouped(all(isTrue(outbox.conditions.isIn(column, words)), held));
}

/** In flight by the table's status or by a claim's marks, but the claim has expired. */
export function nativeClaimExpired(outbox: StatedRow): SQL {
  const { lifecycle, columns, claim } = outbox.mapping;
  if (lifecycle.kind === "rules") return takenOnce(outbox, ruledStates(outbox, lifecycle).claimExpired);
  const expiredByMarks = columns.lockedUntil ? NEVER : claimStates(claim, outbox.conditions).claimExpired;
  if (lifecycle.kind !== "status") return expiredByMarks;
  if (!columns.lockedUntil) return heldUnsent(outbox, lifecycle, expiredByMarks);
  if (lifecycle.inFlight.length === 0) return NEVER;
  const marked = outbox.conditions.isIn(lifecycle.column, lifecycle.inFlight);
  return isTrue(all(marked, outbox.conditions.isPast(columns.lockedUntil, 0)));
}

/** In flight by the table's status or by a claim's marks, and no column gives an expiry. */
export function claimUndated(outbox: StatedRow): SQL {
  const { lifecycle, columns, claim } = outbox.mapping;
  if (lifecycle.kind === "rules") return ruledStates(outbox, lifecycle).claimUndated;
  if (columns.lockedUntil) return NEVER;
  const undated = claimStates(claim, outbox.conditions).claimUndated;
  if (lifecycle.kind !== "status") return undated;
  const byWord = isTrue(outbox.conditions.isIn(lifecycle.column, lifecycle.inFlight));
  return any(byWord, heldUnsent(outbox, lifecycle, undated));
}

/** A row whose claim ends at a placeholder (0, the year 1, 1970) was never taken. */
function takenOnce(outbox: StatedRow, claimed: SQL): SQL {
  const end = writtenEnd(outbox);
  return end && claimed !== NEVER ? isTrue(all(claimed, isNotTrue(isPlaceholder(end)))) : claimed;
}

/**
 * When a row's claim ends; null if the table does not show it or the row is free then, and in a row that has only a
 * placeholder there.
 */
export function claimEnd(outbox: StatedRow): SQL | null {
  const end = writtenEnd(outbox);
  return end && sql`CASE WHEN ${isPlaceholder(end)} THEN NULL ELSE ${end} END`;
}

function writtenEnd(outbox: StatedRow): SQL | null {
  const { lifecycle, columns, claim } = outbox.mapping;
  if (lifecycle.kind !== "rules" && columns.lockedUntil) return outbox.conditions.deadline(columns.lockedUntil);
  const ends = (lifecycle.kind === "rules" ? lifecycle.states.claim : claim)?.ends;
  if (!ends || ends.lapses) return null;
  return outbox.conditions.later(ends.column, ends.plusSecondsOf ?? ends.plusSeconds ?? 0);
}
