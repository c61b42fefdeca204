import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { AppError, isAppError } from "#domain/errors.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { AuditRecord } from "../../port/audit.ts";
import { tableChanges } from "../../port/mapping-changes.ts";
import { decisionIn, isSameVersion } from "../../port/seen-version.ts";
import { StoreError } from "../../port/store-error.ts";
import type { VerbRequest, VerbResult } from "../../port/verb.ts";
import { HOLD_ENDED } from "../../shared/act/act-sentences.ts";
import { auditOfAct } from "../../shared/act/audit-of-act.ts";
import { changedSince, checkPossible } from "../../shared/act/check-possible.ts";
import { mayStand } from "../../shared/act/decision.ts";
import { catalogTable } from "../catalog/read-catalog.ts";
import { cancelledBy } from "../connection/cancelled.ts";
import { aggregateKeyOf } from "../items/message-key.ts";
import { announceAction, carryOutAction, withdrawAction } from "../own-table/announced-actions.ts";
import { transactAudited } from "../own-table/audit.ts";
import { stillAccepted } from "../own-table/mapping-fingerprints.ts";
import { actWrites, type ItemDoc, requireOpenItem } from "../own-table/operation-items.ts";
import { changeWrites } from "../own-table/operations.ts";
import { keyItem, type OwnKey, type OwnRecord, PARTITIONS } from "../own-table/own-table.ts";
import { releaseHoldWrite } from "../own-table/pauses.ts";
import { type FoundMessage, findMessage } from "../read/find-message.ts";
import { tableMissing } from "../read/outbox-view.ts";
import { readDecision } from "../read/read-decision.ts";
import type { Room } from "../room.ts";
import { archiveMessage } from "./archive-message.ts";
import { deadLetterMessage } from "./dead-letter-message.ts";
import { purgeMessage } from "./purge-message.ts";
import { restoreMessage } from "./restore-message.ts";
import { retryMessage } from "./retry-message.ts";
import { stateAfter } from "./state-after.ts";
import type { Verb, VerbContext } from "./verb.ts";

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
  if (request.dryRun) {
    const { row } = await findPossible(room, request);
    const message = "Possible; nothing was changed (dry run).";
    return { stateBefore: row.state, stateAfter: null, version: row.version, message };
  }
  const item = await requireOpenItem(room.own, request);
  // Must happen before the message and its claims are read.
  const announced = await announceAction(room.own, room.ref.name, request.id);
  try {
    return await carryOut(room, request, { table, announced, item });
  } catch (error) {
    // An announcement that cannot be withdrawn expires after some seconds.
    await withdrawAction(room.own, announced).catch(() => undefined);
    throw error;
  }
}

async function carryOut(
  room: Room,
  request: VerbRequest,
  { table, announced, item }: { table: VerbContext["table"]; announced: OwnKey; item: OwnRecord<ItemDoc> | null },
): Promise<VerbResult> {
  const found = await findPossible(room, request);
  const context: VerbContext = { room, found, request, table, v: randomUUID(), at: found.asOf };
  const deed = await VERBS[request.action](context);
  const after = stateAfter(context, deed);
  const { id: messageId, aggregateType, aggregateId } = found.row;
  const held = { outbox: room.ref.name, messageId, aggregateKey: aggregateKeyOf(aggregateType, aggregateId) };
  const hold = found.row.state === "dead" ? await releaseHoldWrite(room.own, held) : null;
  const { message } = deed;
  const told = hold ? `${message} ${HOLD_ENDED}` : message;
  const also = [
    ...carryOutAction(room.own, room.ref.name, announced),
    ...leaveClaims(context),
    ...(hold ? [hold] : []),
  ];
  const writes = [...deed.writes, ...also];
  if (item) await commit(context, [...writes, ...actWrites(room.own, request, { record: item, message: told })], null);
  else await commit(context, [...writes, ...changeOf(context, told, after)], auditOf(context, told, after));
  room.source.forget();
  return { stateBefore: found.row.state, stateAfter: after, version: deed.version, message: told };
}

async function findPossible(room: Room, request: VerbRequest): Promise<FoundMessage> {
  const found = await findMessage(room, request.id);
  if (!found) throw new AppError("not_found", "This message is not there any more.");
  checkPossible(found.row, request, await decisionStands(room, found, request));
  return found;
}

/** True if the message has changed by another attempt alone, whose outcome was the one that the operator saw. */
async function decisionStands(room: Room, found: FoundMessage, { action, version }: VerbRequest): Promise<boolean> {
  if (isSameVersion(found.row.version, version) || !mayStand(action, version, found.row)) return false;
  return (await readDecision(room, found)) === decisionIn(version);
}

/**
 * A relay whose term has ended may still settle. Without the claim, a failure that it reports does not undo the action.
 */
function leaveClaims({ room: { own, ref }, found }: VerbContext): TransactWriteItem[] {
  return found.claims.map(({ sk }) => ({
    Update: {
      TableName: own.name,
      Key: keyItem({ pk: PARTITIONS.relay(ref.name), sk }),
      UpdateExpression: "ADD done :id",
      ConditionExpression: "attribute_exists(pk) AND NOT contains(done, :one)",
      ExpressionAttributeValues: { ":id": { SS: [found.row.id] }, ":one": { S: found.row.id } },
    },
  }));
}

function requireAccepted({ ref, family }: Room, table: VerbContext["table"]): void {
  if (!ref.accepted) return;
  const changes = tableChanges(ref.accepted, catalogTable(ref.mapping.table.name, family, table));
  if (changes.length > 0) throw noLongerFits(ref.name);
}

function noLongerFits(outbox: string): AppError {
  return new AppError(
    "wrong_state",
    `The table of outbox ${outbox} no longer fits the mapping that was accepted: nothing was changed. \`${ourCommand("doctor")}\` says what is different.`,
  );
}

/** The audit entry of an action that is not an item of a bulk operation. */
function auditOf({ room, found: { row }, request }: VerbContext, message: string, after: VerbResult["stateAfter"]) {
  const result = { stateBefore: row.state, stateAfter: after, message, version: null };
  return auditOfAct(room.ref, { ...request, id: row.id }, result);
}

/** The part of such an action in its operation. */
function changeOf({ room, found: { row }, request }: VerbContext, message: string, after: VerbResult["stateAfter"]) {
  const change = { messageId: row.id, stateBefore: row.state, stateAfter: after, detail: message };
  return changeWrites(room.own, request.operationId, change);
}

async function commit(
  context: VerbContext,
  writes: readonly TransactWriteItem[],
  audit: AuditRecord | null,
): Promise<void> {
  const { own, ref, link } = context.room;
  const accepted = ref.accepted ? [stillAccepted(own, ref.name, ref.accepted)] : [];
  try {
    const all = [...accepted, ...writes];
    await (audit ? transactAudited(own, all, audit) : link.transact(all));
  } catch (error) {
    throw await refusalOf(error, context, accepted.length);
  }
}

/** The refusal behind a cancelled transaction: another writer changed the message, or a record that it depends on. */
async function refusalOf(error: unknown, { room, found, request }: VerbContext, checks: number): Promise<unknown> {
  const cancelled = cancelledBy(error);
  if (!cancelled) return error;
  if (cancelled.failed.some((place) => place < checks)) return noLongerFits(room.ref.name);
  if (cancelled.conflict && cancelled.failed.length === 0)
    return new StoreError("locked", "locked", "Another transaction is changing this message.", { cause: error });
  const refused = await requireOpenItem(room.own, request).then(
    () => null,
    (failure: unknown) => failure,
  );
  if (isAppError(refused)) return refused;
  const now = await findMessage(room, found.row.id).catch(() => undefined);
  if (!now) return new AppError("not_found", "This message is not there any more.");
  return changedSince(now.row);
}
