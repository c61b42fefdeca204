import { randomUUID } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import { canPerform, type MessageAction, refusalReason } from "#domain/message-state.ts";
import { tableChanges } from "../../port/mapping-changes.ts";
import { StoreError } from "../../port/store-error.ts";
import type { VerbRequest, VerbResult } from "../../port/verb.ts";
import { catalogTable } from "../catalog/read-catalog.ts";
import { cancelledBy } from "../connection/cancelled.ts";
import { auditWrites } from "../own-table/audit.ts";
import { stillAccepted } from "../own-table/mapping-fingerprints.ts";
import { changeWrites } from "../own-table/operations.ts";
import { type FoundMessage, findMessage } from "../read/find-message.ts";
import { tableMissing } from "../read/outbox-view.ts";
import type { Room } from "../room.ts";
import { archiveMessage } from "./archive-message.ts";
import { deadLetterMessage } from "./dead-letter-message.ts";
import { purgeMessage } from "./purge-message.ts";
import { restoreMessage } from "./restore-message.ts";
import { retryMessage } from "./retry-message.ts";
import { stateAfter } from "./state-after.ts";
import type { Acting, Deed, Verb } from "./verb.ts";

const VERBS: Record<MessageAction, Verb> = {
  retry: retryMessage,
  "dead-letter": deadLetterMessage,
  archive: archiveMessage,
  restore: restoreMessage,
  purge: purgeMessage,
};

/**
 * Performs one action on one message: reads it, and writes the action, its audit entry and its part of the operation in
 * one transaction whose conditions say that nothing has changed since. Throws: not_found, conflict, in_flight,
 * wrong_state; StoreError `locked` while another transaction changes the same items, and `commit_in_doubt`.
 */
export async function performVerb(room: Room, request: VerbRequest): Promise<VerbResult> {
  const { link, family } = room;
  const table = await link.describe(family.table);
  if (!table) throw tableMissing(family.table);
  requireAccepted(room, table);
  const found = await findMessage(room, request.id);
  if (!found) throw new AppError("not_found", "This message is not there any more.");
  checkPossible(found, request);
  const stateBefore = found.row.state;
  if (request.dryRun)
    return {
      stateBefore,
      stateAfter: null,
      version: found.row.version,
      message: "Possible; nothing was changed (dry run).",
    };
  const acting: Acting = { room, found, request, table, v: randomUUID(), at: found.asOf };
  const deed = await VERBS[request.action](acting);
  const after = stateAfter(request.action, found);
  await commit(acting, deed, after);
  room.source.forget();
  return { stateBefore, stateAfter: after, version: deed.version, message: deed.message };
}

function requireAccepted({ ref, family }: Room, table: Acting["table"]): void {
  if (!ref.accepted) return;
  const changes = tableChanges(ref.accepted, catalogTable(ref.mapping.table.name, family, table));
  if (changes.length > 0) throw noLongerFits(ref.name);
}

function noLongerFits(outbox: string): AppError {
  return new AppError(
    "wrong_state",
    `The table of outbox ${outbox} no longer fits the mapping that was accepted: nothing was changed. \`npm run doctor\` says what is different.`,
  );
}

function checkPossible({ row }: FoundMessage, request: VerbRequest): void {
  const details = { state: row.state };
  if (row.version !== request.version) throw changedSince(row.state);
  if (row.state === "in_flight" && !row.claimUndated)
    throw new AppError("in_flight", "A relay is publishing it right now; try again in a moment.");
  const afterExpiredClaim = request.action === "retry" && row.claimExpired && row.state === "pending";
  if (canPerform(request.action, row.state) || afterExpiredClaim) return;
  throw new AppError("wrong_state", refusalReason(request.action, row) ?? "That is not possible now.", { details });
}

function changedSince(state: string): AppError {
  return new AppError(
    "conflict",
    `It has changed since you looked: it is ${state.replace("_", " ")} now. Look again before you act.`,
    { details: { state } },
  );
}

async function commit(acting: Acting, { writes, message }: Deed, after: VerbResult["stateAfter"]): Promise<void> {
  const { room, found, request } = acting;
  const { own, ref, link } = room;
  const { row } = found;
  const accepted = ref.accepted ? [stillAccepted(own, ref.name, ref.accepted)] : [];
  const change = { messageId: row.id, stateBefore: row.state, stateAfter: after, detail: message };
  const audit = auditWrites(own, {
    ...{ actor: request.actor, action: `message.${request.action}`, outbox: ref.name, messageId: row.id },
    ...{ operationId: request.operationId, outcome: "done", reason: request.reason },
    ...{ stateBefore: row.state, stateAfter: after, detail: message },
  });
  const operation = changeWrites(own, request.operationId, change);
  try {
    await link.transact([...accepted, ...writes, ...audit, ...operation]);
  } catch (error) {
    throw await refusalOf(error, acting, accepted.length);
  }
}

/** What a cancelled transaction means: the message, or what it depends on, was changed by someone else. */
async function refusalOf(error: unknown, { room, found }: Acting, checks: number): Promise<unknown> {
  const cancelled = cancelledBy(error);
  if (!cancelled) return error;
  if (cancelled.failed.some((place) => place < checks)) return noLongerFits(room.ref.name);
  if (cancelled.conflict && cancelled.failed.length === 0)
    return new StoreError("locked", "locked", "Another transaction is changing this message.", { cause: error });
  const now = await findMessage(room, found.row.id).catch(() => undefined);
  if (!now) return new AppError("not_found", "This message is not there any more.");
  return changedSince(now.row.state);
}
