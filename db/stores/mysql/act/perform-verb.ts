import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { AppError } from "#domain/errors.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { decisionIn, isSameVersion } from "../../port/seen-version.ts";
import type { VerbRequest, VerbResult } from "../../port/verb.ts";
import { HOLD_ENDED } from "../../shared/act/act-sentences.ts";
import { auditOfAct } from "../../shared/act/audit-of-act.ts";
import { checkPossible } from "../../shared/act/check-possible.ts";
import { requireNotCorrected } from "../../shared/act/correction.ts";
import { mayStand } from "../../shared/act/decision.ts";
import { requireOtherState } from "../../shared/act/require-written.ts";
import { requireRuledVerb } from "../../shared/act/ruled-verb.ts";
import type { Pool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { afterDeadlock } from "../own-schema/after-deadlock.ts";
import { settleActs } from "../own-schema/operation-items.ts";
import { writeAudit } from "../own-schema/write-audit.ts";
import { findMessage } from "../read/find-message.ts";
import { readDecision } from "../read/read-decision.ts";
import { lockOutbox } from "../tables/outbox-lock.ts";
import { requireTransactions } from "../tables/require-transactions.ts";
import { requireZones } from "../tables/zones.ts";
import { archiveMessage } from "./archive-message.ts";
import { correctedAmong } from "./corrected.ts";
import { deadLetterMessage } from "./dead-letter-message.ts";
import { leaveClaims } from "./leave-claims.ts";
import { lockRow } from "./lock-row.ts";
import { purgeMessage } from "./purge-message.ts";
import { releaseHolds } from "./release-holds.ts";
import { requireAcceptedTable } from "./require-accepted-table.ts";
import { restoreMessage } from "./restore-message.ts";
import { retryMessage } from "./retry-message.ts";
import type { Verb } from "./verb.ts";

const VERBS: Record<MessageAction, Verb> = {
  retry: retryMessage,
  "dead-letter": deadLetterMessage,
  archive: archiveMessage,
  restore: restoreMessage,
  purge: purgeMessage,
};

/**
 * Performs one action on one message and writes its audit row in the same transaction. The exclusive outbox lock blocks
 * claims for these few milliseconds, the row lock blocks all other writers, and the version shows whether the operator
 * saw the current row, or one that differs by an attempt with the same outcome. If another session has locked the row,
 * this fails at once instead of waiting, because no claim could be made meanwhile; the caller retries. Throws:
 * not_found, conflict (changed meanwhile), in_flight, wrong_state, locked.
 */
export function performVerb(pool: Pool, ref: OutboxRef, request: VerbRequest): Promise<VerbResult> {
  return afterDeadlock(() => performOnce(pool, ref, request));
}

function performOnce(pool: Pool, ref: OutboxRef, request: VerbRequest): Promise<VerbResult> {
  return withWriteTransaction(pool, async (session) => {
    await requireWritable(session, ref);
    await lockOutbox(session, ref.name, "exclusive");
    await requireAcceptedTable(session, ref);
    await lockRow(session, ref, request.id);
    const found = await findMessage(session, ref, request.id);
    if (!found) throw new AppError("not_found", "This message is not there any more.");
    checkPossible(found.row, request, await decisionStands(session, ref, found, request));
    requireRuledVerb(ref.mapping, request.action, found.place);
    if (request.action === "retry") {
      const corrected = await correctedAmong(session, ref, [found.row.id]);
      requireNotCorrected("retry", corrected.get(found.row.id));
    }
    if (request.dryRun)
      return {
        stateBefore: found.row.state,
        stateAfter: null,
        version: found.row.version,
        message: "Possible; nothing was changed (dry run).",
      };
    await leaveClaims(session, ref, [found.row.id]);
    const done = await VERBS[request.action](session, ref, found, request);
    const released = await releaseHolds(session, ref, [found.row.id]);
    const message = released.size > 0 ? `${done} ${HOLD_ENDED}` : done;
    const after = await findMessage(session, ref, found.row.id);
    if (found.place === "table")
      requireOtherState({
        mapping: ref.mapping,
        action: request.action,
        before: found.row.state,
        after: after?.row.state ?? null,
      });
    const result = {
      stateBefore: found.row.state,
      stateAfter: after?.row.state ?? null,
      version: after?.row.version ?? null,
      message,
    };
    if (request.item) await settleActs(session, [{ verb: request, message }]);
    else await writeAudit(session, auditOfAct(ref, { ...request, id: found.row.id }, result));
    return result;
  });
}

/**
 * Throws if the server cannot convert the table's times, or could not roll back a change of one of the team's tables.
 */
export async function requireWritable(session: Session, { mapping }: OutboxRef): Promise<void> {
  const { table, archiveTable } = mapping;
  await requireZones(session, mapping);
  for (const one of archiveTable ? [table, archiveTable] : [table]) await requireTransactions(session, one);
}

/** True if only another attempt has changed the message since the operator saw it, with the same outcome. */
async function decisionStands(
  session: Session,
  ref: OutboxRef,
  found: FoundMessage,
  { action, version }: VerbRequest,
): Promise<boolean> {
  if (isSameVersion(found.row.version, version) || !mayStand(action, version, found.row)) return false;
  return (await readDecision(session, ref, found)) === decisionIn(version);
}
