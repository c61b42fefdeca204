import type { Pool, PoolClient } from "pg";
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
import { withWriteTransaction } from "../connection/transaction.ts";
import { settleActs } from "../own-schema/operation-items.ts";
import { writeAudit } from "../own-schema/write-audit.ts";
import { findMessage } from "../read/find-message.ts";
import { readDecision } from "../read/read-decision.ts";
import { lockOutbox } from "../tables/outbox-lock.ts";
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

export const VERBS: Record<MessageAction, Verb> = {
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
  return withWriteTransaction(pool, async (client) => {
    await lockOutbox(client, ref.name, "exclusive");
    await requireAcceptedTable(client, ref);
    await lockRow(client, ref, request.id);
    const found = await findMessage(client, ref, request.id);
    if (!found) throw new AppError("not_found", "This message is not there any more.");
    checkPossible(found.row, request, await decisionStands(client, ref, found, request));
    requireRuledVerb(ref.mapping, request.action, found.place);
    if (request.action === "retry") {
      const corrected = await correctedAmong(client, ref, [found.row.id]);
      requireNotCorrected("retry", corrected.get(found.row.id));
    }
    if (request.dryRun)
      return {
        stateBefore: found.row.state,
        stateAfter: null,
        version: found.row.version,
        message: "Possible; nothing was changed (dry run).",
      };
    await leaveClaims(client, ref, [found.row.id]);
    const told = await VERBS[request.action](client, ref, found, request);
    const released = await releaseHolds(client, ref, [found.row.id]);
    const message = released ? `${told} ${HOLD_ENDED}` : told;
    const after = await findMessage(client, ref, found.row.id);
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
    if (request.item) await settleActs(client, [{ verb: request, message }]);
    else await writeAudit(client, auditOfAct(ref, { ...request, id: found.row.id }, result));
    return result;
  });
}

/** True if the message has changed by another attempt alone, whose outcome was the one that the operator saw. */
async function decisionStands(
  client: PoolClient,
  ref: OutboxRef,
  found: FoundMessage,
  { action, version }: VerbRequest,
): Promise<boolean> {
  if (isSameVersion(found.row.version, version) || !mayStand(action, version, found.row)) return false;
  return (await readDecision(client, ref, found)) === decisionIn(version);
}
