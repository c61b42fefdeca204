import { marksDead } from "#db/stores/shared/act/marks-dead.ts";
import { toAppError } from "#domain/errors.ts";
import type { CorrectionRequest } from "../port/correction.ts";
import type { ItemAct, OutboxActions, PauseChange } from "../port/outbox-actions.ts";
import type { OutboxRef } from "../port/outbox-ref.ts";
import { isUnreachable, troubleOf } from "../port/store-error.ts";
import type { VerbRequest, VerbResult } from "../port/verb.ts";
import { performEach } from "../shared/act/perform-items.ts";
import { auditOfPause, correctWithin, performWithin } from "../shared/act/perform-within.ts";
import { ruledEffect, ruledRefusal } from "../shared/act/ruled-verb.ts";
import { actionStatements } from "./act/action-statements.ts";
import { findLockHolder } from "./act/find-lock-holder.ts";
import { performItems } from "./act/perform-items.ts";
import { performVerb } from "./act/perform-verb.ts";
import { WRITER } from "./act/ruled-message.ts";
import { sendCorrection } from "./act/send-correction.ts";
import { planCopy } from "./act/write-copy.ts";
import { whyRowsCannotMove } from "./catalog/can-move-rows.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction, withWriteTransaction } from "./connection/transaction.ts";
import { deletePause, writePause } from "./own-schema/pauses.ts";
import { writeAudit } from "./own-schema/write-audit.ts";
import { inOutboxOrder } from "./read/in-outbox-order.ts";

const COPY_TIMEOUT_MS = 2000;
const ITEMS_AT_ONCE = 200;
/** Items that are acted on one by one after a transaction over more of them has failed. */
const MOST_ALONE = 10;

export function createOutboxActions(pools: StorePools, ref: OutboxRef): OutboxActions {
  const of = `outbox ${ref.name}`;
  const once = (verb: VerbRequest) => asking(of, () => performVerb(pools.writes(), ref, verb));
  const sendOnce = (request: CorrectionRequest) => asking(of, () => sendCorrection(pools.writes(), ref, request));
  const lockHolder = (id: string) => asking(of, async () => (await findLockHolder(pools.reads(), ref, id)) ?? null);
  return {
    perform: (verb, waitMs) => performWithin({ once, lockHolder }, verb, waitMs),
    itemsAtOnce: ITEMS_AT_ONCE,
    performItems: (verbs) =>
      manyOrEach((done) => asking(of, () => performItems(pools.writes(), ref, { verbs, done })), once, verbs),
    correct: (request, waitMs) => correctWithin({ once: sendOnce, lockHolder }, request, waitMs),
    whyNoCopy: () => asking(of, () => whyNoCopy(pools, ref)),
    inOrder: (ids) => asking(of, () => inOutboxOrder(pools.writes(), ref, ids)),
    lockHolder,
    pause: (change) => asking(of, () => pause(pools, ref, change)),
    resume: (change) => asking(of, () => resume(pools, ref, change)),
    whyRowsStay: () => asking(of, () => whyRowsCannotMove(pools.reads(), ref.mapping.table)),
    refuses: (action) => ruledRefusal(ref.mapping, action),
    does: (action) => ruledEffect(ref.mapping, action),
    statements: () => actionStatements(ref.mapping),
    marksDead: marksDead(ref.mapping, WRITER),
  };
}

/** Many in a transaction; those of one that fails, for a reason that may lie in one of them, each on its own. */
async function manyOrEach(
  many: (done: (acts: readonly ItemAct[]) => void) => Promise<void>,
  once: (verb: VerbRequest) => Promise<VerbResult>,
  verbs: readonly VerbRequest[],
): Promise<ItemAct[]> {
  const acts: ItemAct[] = [];
  try {
    await many((some) => acts.push(...some));
    return acts;
  } catch (error) {
    if (isUnreachable(error) || troubleOf(error) === "commit_in_doubt") {
      if (acts.length === 0) throw error;
      return [...acts, { seq: verbs[acts.length]?.item?.seq ?? 0, failure: toAppError(error) }];
    }
    // As many as one lease of an operation allows, should each wait for a lock.
    const next = verbs.slice(acts.length, acts.length + MOST_ALONE);
    return [...acts, ...(await performEach(once, next))];
  }
}

async function whyNoCopy({ reads }: StorePools, { mapping }: OutboxRef): Promise<string | null> {
  const plan = await withReadTransaction(reads(), COPY_TIMEOUT_MS, (client) => planCopy(client, mapping));
  return "no" in plan ? plan.no : null;
}

function pause({ writes }: StorePools, ref: OutboxRef, change: Parameters<OutboxActions["pause"]>[0]): Promise<void> {
  const { subject, reason, actor, minutes } = change;
  return withWriteTransaction(writes(), async (client) => {
    await writePause(client, { outbox: ref.name, ...subject, reason, by: actor.name, minutes });
    await writeAudit(client, auditOfPause(ref, "relay.pause", change));
  });
}

function resume({ writes }: StorePools, ref: OutboxRef, change: PauseChange): Promise<boolean> {
  return withWriteTransaction(writes(), async (client) => {
    const ended = await deletePause(client, { outbox: ref.name, ...change.subject });
    if (ended) await writeAudit(client, auditOfPause(ref, "relay.resume", change));
    return ended;
  });
}
