import { marksDead } from "#db/stores/shared/act/marks-dead.ts";
import type { CorrectionRequest } from "../port/correction.ts";
import type { OutboxActions, PauseChange } from "../port/outbox-actions.ts";
import type { OutboxRef } from "../port/outbox-ref.ts";
import type { VerbRequest } from "../port/verb.ts";
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
import { withReadTransaction, withSession, withWriteTransaction } from "./connection/transaction.ts";
import { deletePause, writePause } from "./own-schema/pauses.ts";
import { writeAudit } from "./own-schema/write-audit.ts";
import { inOutboxOrder } from "./read/in-outbox-order.ts";

const ORDER_TIMEOUT_MS = 2000;
/** Dead messages that are retried in one transaction. */
const ITEMS_AT_ONCE = 200;

export function createOutboxActions(pools: StorePools, ref: OutboxRef): OutboxActions {
  const of = `outbox ${ref.name}`;
  const once = (verb: VerbRequest) => asking(of, () => performVerb(pools.writes(), ref, verb));
  const sendOnce = (request: CorrectionRequest) => asking(of, () => sendCorrection(pools.writes(), ref, request));
  const lockHolder = (id: string) => asking(of, async () => (await findLockHolder(pools, ref, id)) ?? null);
  const inOrder = (ids: readonly string[]) =>
    withReadTransaction(pools.writes(), ORDER_TIMEOUT_MS, (session) => inOutboxOrder(session, ref, ids));
  const whyRowsStay = () => withSession(pools.reads(), (session) => whyRowsCannotMove(session, ref.mapping.table));
  return {
    perform: (verb, waitMs) => performWithin({ once, lockHolder }, verb, waitMs),
    itemsAtOnce: ITEMS_AT_ONCE,
    performItems: (verbs) => asking(of, () => performItems({ pool: pools.writes(), ref, once }, verbs)),
    correct: (request, waitMs) => correctWithin({ once: sendOnce, lockHolder }, request, waitMs),
    whyNoCopy: () => asking(of, () => whyNoCopy(pools, ref)),
    inOrder: (ids) => asking(of, () => inOrder(ids)),
    lockHolder,
    pause: (change) => asking(of, () => pause(pools, ref, change)),
    resume: (change) => asking(of, () => resume(pools, ref, change)),
    whyRowsStay: () => asking(of, whyRowsStay),
    refuses: (action) => ruledRefusal(ref.mapping, action),
    does: (action) => ruledEffect(ref.mapping, action),
    statements: () => actionStatements(ref.mapping),
    marksDead: marksDead(ref.mapping, WRITER),
  };
}

async function whyNoCopy({ reads }: StorePools, { mapping }: OutboxRef): Promise<string | null> {
  const plan = await withSession(reads(), (session) => planCopy(session, mapping));
  return "no" in plan ? plan.no : null;
}

function pause({ writes }: StorePools, ref: OutboxRef, change: Parameters<OutboxActions["pause"]>[0]): Promise<void> {
  const { subject, reason, actor, minutes } = change;
  return withWriteTransaction(writes(), async (session) => {
    await writePause(session, { outbox: ref.name, ...subject, reason, by: actor.name, minutes });
    await writeAudit(session, auditOfPause(ref, "relay.pause", change));
  });
}

function resume({ writes }: StorePools, ref: OutboxRef, change: PauseChange): Promise<boolean> {
  return withWriteTransaction(writes(), async (session) => {
    const ended = await deletePause(session, { outbox: ref.name, ...change.subject });
    if (ended) await writeAudit(session, auditOfPause(ref, "relay.resume", change));
    return ended;
  });
}
