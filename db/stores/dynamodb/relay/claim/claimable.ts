import { setTimeout as delay } from "node:timers/promises";
import type { ClaimRequest } from "../../../port/relay/claim.ts";
import { ORPHANED_TO_ISOLATE } from "../../../shared/relay/quarantine.ts";
import { isInTerm } from "../partition.ts";
import { type Candidate, candidateOf, isDue, isUnsent } from "../read-item.ts";
import { isTypeWithheld, type RelayContext, requireIndex } from "../relay-context.ts";
import { type IndexRead, waitingItems } from "../waiting-index.ts";

/** What decides which messages a request finds. */
export type Wanted = Pick<ClaimRequest, "lease" | "excludeIds"> & Partial<Pick<ClaimRequest, "excludeAggregates">>;

const LONGEST_PACE_MS = 5_000;

/** Judges candidates by all conditions except whether they still exist. `now` is RFC 3339. */
export function claimable(context: RelayContext, wanted: Wanted, now: string): (candidate: Candidate) => boolean {
  const excludedIds = new Set(wanted.excludeIds);
  const excludedAggregates = new Set(wanted.excludeAggregates);
  const { deliveries, suspects } = context;
  return ({ item, id, aggregateKey, eventType }) =>
    !excludedIds.has(id) &&
    (aggregateKey === null || !excludedAggregates.has(aggregateKey)) &&
    deliveries.get(id) === undefined &&
    (suspects.get(id) ?? 0) < ORPHANED_TO_ISOLATE &&
    !(aggregateKey === null && isTypeWithheld(context, eventType)) &&
    isInTerm(wanted.lease, id, aggregateKey) &&
    isUnsent(context, item, now) &&
    isDue(context, item, now);
}

/** Candidates in order as the index shows them, whether or not they may be claimed. */
export async function* candidates(context: RelayContext, read: IndexRead): AsyncGenerator<Candidate> {
  const index = requireIndex(context);
  if (!index) return;
  for await (const item of waitingItems(context, index, read)) yield candidateOf(context, item);
}

/**
 * A read of the index that counts against the budget only if it finds nothing to publish. Waits while the units for
 * such reads are used up.
 */
export async function paced<T>(
  { room }: RelayContext,
  brings: (result: T) => boolean,
  read: (spent: (units: number) => void) => Promise<T>,
): Promise<T> {
  const { budget } = room.link;
  const waitMs = Math.min(LONGEST_PACE_MS, budget.waitMs());
  if (waitMs > 0) await delay(waitMs);
  let units = 0;
  const result = await read((more) => {
    units += more;
  });
  if (!brings(result)) budget.take(units);
  return result;
}
