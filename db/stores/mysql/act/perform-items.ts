import { setTimeout as delay } from "node:timers/promises";
import type { ItemAct } from "../../port/outbox-actions.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRequest, VerbResult } from "../../port/verb.ts";
import { performEach, stops } from "../../shared/act/perform-items.ts";
import { ruledVerb } from "../../shared/act/ruled-verb.ts";
import { DEADLOCK, errorNumber, isConnectionError, isLockTimeout } from "../connection/database-error.ts";
import type { Pool } from "../connection/pool.ts";
import { toStoreError } from "../connection/to-store-error.ts";
import { type DeadTurn, performOnDead } from "./perform-on-dead.ts";

/** Most items of one call that are acted on one by one. */
const MOST_ALONE = 10;
/**
 * After this time, ms, no other item is begun, and items that waited for a lock are not tried together again: even if
 * each transaction waits for a lock, a call has to end well within the lease of an operation, 15 s.
 */
const MOST_MS = 5000;

interface Means {
  pool: Pool;
  ref: OutboxRef;
  /** Performs one item in its own transaction. Throws StoreError. */
  once(verb: VerbRequest): Promise<VerbResult>;
}

/**
 * Performs the same action on many messages of one operation, in the order given. Retries of dead messages, and dead
 * letters that are archived, are done together, without the outbox lock; every other act is a separate transaction
 * under that lock, as in performVerb. Leaves out the last ones if too many need separate transactions. Throws if the
 * database does not answer and nothing was done.
 */
export async function performItems(means: Means, verbs: readonly VerbRequest[]): Promise<ItemAct[]> {
  const { ref, once } = means;
  if (!areTogether(ref, verbs)) return performEach(once, verbs.slice(0, MOST_ALONE));
  const acts: ItemAct[] = [];
  const size: Size = { most: verbs.length, waits: 0, until: performance.now() + MOST_MS };
  for (let left = MOST_ALONE; left > 0 && acts.length < verbs.length; ) {
    let turn: DeadTurn;
    try {
      turn = await together(means, verbs.slice(acts.length), size);
    } catch (error) {
      if (acts.length === 0) throw error;
      return [...acts, { seq: verbs[acts.length]?.item?.seq ?? 0, failure: toStoreError(error, `outbox ${ref.name}`) }];
    }
    acts.push(...turn.acts);
    for (const verb of verbs.slice(acts.length, acts.length + Math.min(turn.alone, left))) {
      if (acts.length > 0 && isLate(size)) return acts;
      const done = await performEach(once, [verb]);
      acts.push(...done);
      left -= 1;
      if (done.some(({ failure }) => stops(failure))) return acts;
    }
    if (isLate(size)) break;
  }
  return acts;
}

/** False if a library retries in its own way, or for a verb outside an operation: that needs its own audit row. */
function areTogether({ mapping, storeSide }: OutboxRef, verbs: readonly VerbRequest[]): boolean {
  const [first] = verbs;
  if (!first || !storeSide) return false;
  const { action, operationId } = first;
  const isOrdinary = action === "archive" || (action === "retry" && ruledVerb(mapping, "retry") === null);
  const isAlike = (verb: VerbRequest) => verb.action === action && verb.operationId === operationId;
  return isOrdinary && verbs.every((verb) => isAlike(verb) && verb.item !== undefined && !verb.dryRun);
}

/** How many are tried together. */
interface Size {
  most: number;
  /** Transactions that were rolled back by a deadlock or a wait for a lock. */
  waits: number;
  until: number;
}

const isLate = ({ until }: Size) => performance.now() > until;

/**
 * Items that waited for a lock are tried together once more, then half as many, then the first one alone. Throws only
 * if the database does not answer, or may have committed.
 */
async function together({ pool, ref }: Means, verbs: readonly VerbRequest[], size: Size): Promise<DeadTurn> {
  while (size.waits === 0 || (size.most > 1 && !isLate(size))) {
    const some = verbs.slice(0, size.most);
    try {
      const turn = await performOnDead(pool, ref, some);
      if (size.waits > 0) size.most *= 2;
      return turn;
    } catch (error) {
      if (isConnectionError(error)) throw error;
      // One item may be the cause: tried alone, it reports its own error.
      if (errorNumber(error) !== DEADLOCK && !isLockTimeout(error)) return { acts: [], alone: MOST_ALONE };
      size.waits += 1;
      if (size.waits > 1) size.most = Math.floor(some.length / 2);
      await delay(10 * Math.random());
    }
  }
  size.most = 2;
  return { acts: [], alone: 1 };
}
