import { setTimeout as delay } from "node:timers/promises";
import { AppError, isAppError } from "#domain/errors.ts";
import type { AuditRecord } from "../port/audit.ts";
import type { OutboxActions, PauseChange } from "../port/outbox-actions.ts";
import type { OutboxRef } from "../port/outbox-ref.ts";
import type { VerbRequest, VerbResult } from "../port/verb.ts";
import { findLockHolder } from "./act/find-lock-holder.ts";
import { deadAssignments } from "./act/native-updates.ts";
import { performVerb } from "./act/perform-verb.ts";
import { whyRowsCannotMove } from "./catalog/can-move-rows.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction, withSession, withWriteTransaction } from "./connection/transaction.ts";
import { deletePause, writePause } from "./own-schema/pauses.ts";
import { writeAudit } from "./own-schema/write-audit.ts";
import { inOutboxOrder } from "./read/in-outbox-order.ts";

const WAIT_STEP_MS = 100;
const ORDER_TIMEOUT_MS = 2000;

export function createOutboxActions(pools: StorePools, ref: OutboxRef): OutboxActions {
  const of = `outbox ${ref.name}`;
  const lockHolder = (id: string) => asking(of, async () => (await findLockHolder(pools, ref, id)) ?? null);
  const inOrder = (ids: readonly string[]) =>
    withReadTransaction(pools.writes(), ORDER_TIMEOUT_MS, (session) => inOutboxOrder(session, ref, ids));
  const whyRowsStay = () => withSession(pools.reads(), (session) => whyRowsCannotMove(session, ref.mapping.table));
  return {
    perform: (verb, waitMs) => performWithin({ pools, ref, lockHolder }, verb, waitMs),
    inOrder: (ids) => asking(of, () => inOrder(ids)),
    lockHolder,
    pause: (change) => asking(of, () => pause(pools, ref, change)),
    resume: (change) => asking(of, () => resume(pools, ref, change)),
    whyRowsStay: () => asking(of, whyRowsStay),
    marksDead: deadAssignments(ref.mapping) !== null,
  };
}

interface Acting {
  pools: StorePools;
  ref: OutboxRef;
  lockHolder: OutboxActions["lockHolder"];
}

/** Retries every 100 ms: nothing announces the end of a claim or a lock. */
async function performWithin(
  { pools, ref, lockHolder }: Acting,
  verb: VerbRequest,
  waitMs: number,
): Promise<VerbResult> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      return await asking(`outbox ${ref.name}`, () => performVerb(pools.writes(), ref, verb));
    } catch (error) {
      const mayPass = isAppError(error) && (error.code === "in_flight" || error.code === "locked");
      if (!mayPass) throw error;
      if (performance.now() >= deadline)
        throw error.code === "locked" ? await naming(lockHolder, verb.id, error) : error;
      await delay(WAIT_STEP_MS);
    }
  }
}

/** Adds the session that holds the row to the error, if it can still be found. */
async function naming(lockHolder: OutboxActions["lockHolder"], id: string, failure: AppError): Promise<AppError> {
  const holder = await lockHolder(id).catch(() => null);
  return holder === null ? failure : new AppError("locked", `Another session has locked this message: ${holder}.`);
}

function pause({ writes }: StorePools, ref: OutboxRef, change: Parameters<OutboxActions["pause"]>[0]): Promise<void> {
  const { subject, reason, actor, minutes } = change;
  return withWriteTransaction(writes(), async (session) => {
    await writePause(session, { outbox: ref.name, ...subject, reason, by: actor.name, minutes });
    await writeAudit(session, auditOf(ref, "relay.pause", change));
  });
}

function resume({ writes }: StorePools, ref: OutboxRef, change: PauseChange): Promise<boolean> {
  return withWriteTransaction(writes(), async (session) => {
    const ended = await deletePause(session, { outbox: ref.name, ...change.subject });
    if (ended) await writeAudit(session, auditOf(ref, "relay.resume", change));
    return ended;
  });
}

function auditOf({ name }: OutboxRef, action: string, { actor, reason, detail }: PauseChange): AuditRecord {
  return { actor, action, outbox: name, outcome: "done", reason, detail };
}
