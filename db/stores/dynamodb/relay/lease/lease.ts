import { type TransactWriteItem, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { ALL_PARTITIONS } from "#domain/relay/partitions.ts";
import type { AcquiredLease, Lease, LeaseRequest } from "../../../port/relay/lease.ts";
import { TableChangedError } from "../../../port/table-changed-error.ts";
import { choosePartitions, type LeaseRow } from "../../../shared/relay/choose-partitions.ts";
import { cancelledBy } from "../../connection/cancelled.ts";
import { nameOf } from "../../connection/to-store-error.ts";
import { stillAccepted } from "../../own-table/mapping-fingerprints.ts";
import { keyItem, putIf, toItem } from "../../own-table/own-table.ts";
import { type LeasesDoc, leasesKey, type TermDoc, termKey } from "../../own-table/relay-docs.ts";
import { type RelayState, readRelayState, serverNowMs, type Term } from "../../own-table/terms.ts";
import { transactPatiently } from "../patient-transaction.ts";
import type { RelayContext } from "../relay-context.ts";
import { endOrphanedClaims } from "./orphans.ts";

/**
 * Begins a term. One transaction takes partitions, raises the epoch and removes the items of ended terms, each only if
 * it was not renewed meanwhile; from then on nothing can be claimed under those. Their claims are ended one after the
 * other before this returns: a settle that comes first is written, one that comes later finds no claim.
 * Null where nothing is free, or where another owner was faster.
 */
export async function acquireLease(context: RelayContext, request: LeaseRequest): Promise<AcquiredLease | null> {
  const { outbox, room } = context;
  const state = await readRelayState(room.own, outbox);
  const rows = leaseRows(state);
  const partitions = choosePartitions(rows, request);
  if (partitions.length === 0) return null;
  const epoch = 1 + Math.max(0, state.leases?.doc.epoch ?? 0, ...state.terms.map((term) => term.epoch));
  const lease: Lease = { outbox, owner: request.owner, epoch, partitions, leaseMs: request.leaseMs };
  try {
    await transactPatiently(room.link, takeWrites(context, state, lease));
  } catch (error) {
    const cancelled = cancelledBy(error);
    if (!cancelled) throw error;
    if (room.ref.accepted && cancelled.failed.includes(0)) throw new TableChangedError(outbox);
    return null;
  }
  return { ...lease, orphaned: await endOrphanedClaims(context, lease) };
}

function leaseRows({ leases, terms, nowMs }: RelayState): LeaseRow[] {
  return (leases?.doc.partitions ?? []).map(({ owner, epoch }, partition) => {
    const term = terms.find((one) => one.epoch === epoch && one.owner === owner);
    return { partition, owner, epoch, live: term !== undefined && term.untilMs > nowMs };
  });
}

function takeWrites(
  { room: { own, ref }, outbox }: RelayContext,
  { leases, terms, nowMs }: RelayState,
  lease: Lease,
): TransactWriteItem[] {
  const { owner, epoch, partitions, leaseMs } = lease;
  const ended = terms.filter((term) => term.untilMs <= nowMs || term.owner === owner);
  const now = new Date(nowMs).toISOString();
  const until = (row: LeasesDoc["partitions"][number]) => {
    const term = ended.find((one) => one.epoch === row.epoch);
    return term ? new Date(Math.min(term.untilMs, nowMs)).toISOString() : row.until;
  };
  const doc: LeasesDoc = {
    epoch,
    partitions: ALL_PARTITIONS.map((partition) => {
      if (partitions.includes(partition)) return { owner, epoch, until: now };
      const row = leases?.doc.partitions[partition];
      // Partitions that an owner gives up have no owner.
      if (!row || row.owner === owner) return { owner: "", epoch, until: now };
      return { ...row, until: until(row) };
    }),
  };
  const term: TermDoc = { owner, epoch, partitions, startedAt: now };
  const item = { ...toItem({ ...termKey(outbox, epoch), doc: term, v: "1" }), until: { N: String(nowMs + leaseMs) } };
  return [
    ...(ref.accepted ? [stillAccepted(own, outbox, ref.accepted)] : []),
    putIf(own, { ...leasesKey(outbox), doc, v: String(epoch) }, leases?.v ?? null),
    { Put: { TableName: own.name, Item: item, ConditionExpression: "attribute_not_exists(pk)" } },
    ...ended.map((one) => endTerm(own.name, outbox, one)),
  ];
}

function endTerm(table: string, outbox: string, { epoch, untilMs }: Term): TransactWriteItem {
  return {
    Delete: {
      TableName: table,
      Key: keyItem(termKey(outbox, epoch)),
      ConditionExpression: "#until = :seen",
      ExpressionAttributeNames: { "#until": "until" },
      ExpressionAttributeValues: { ":seen": { N: String(untilMs) } },
    },
  };
}

/**
 * Extends the term, even one that has run out if no other has begun. False if it is over, or the mapping is not
 * accepted.
 */
export async function renewLease({ room, outbox }: RelayContext, lease: Lease): Promise<boolean> {
  const { own, link, ref } = room;
  const update: TransactWriteItem = {
    Update: {
      TableName: own.name,
      Key: keyItem(termKey(outbox, lease.epoch)),
      UpdateExpression: "SET #until = :until",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeNames: { "#until": "until" },
      ExpressionAttributeValues: { ":until": { N: String(serverNowMs(link) + lease.leaseMs) } },
    },
  };
  try {
    await transactPatiently(link, [update, ...(ref.accepted ? [stillAccepted(own, outbox, ref.accepted)] : [])]);
    return true;
  } catch (error) {
    if (cancelledBy(error)?.failed.length) return false;
    throw error;
  }
}

/**
 * Ends the lease at once, so that other owners can take over. The item stays until then, so that its claims are kept
 * apart.
 */
export async function releaseLease({ room: { own, link }, outbox }: RelayContext, lease: Lease): Promise<void> {
  const command = new UpdateItemCommand({
    TableName: own.name,
    Key: keyItem(termKey(outbox, lease.epoch)),
    UpdateExpression: "SET #until = :now",
    ConditionExpression: "attribute_exists(pk) AND #until > :now",
    ExpressionAttributeNames: { "#until": "until" },
    ExpressionAttributeValues: { ":now": { N: String(serverNowMs(link)) } },
  });
  await link.client.send(command).catch((error: unknown) => {
    if (nameOf(error) !== "ConditionalCheckFailedException") throw error;
  });
}
