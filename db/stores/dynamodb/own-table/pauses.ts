import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { PartialPauses, PauseRow, PauseSubject } from "../../port/pauses.ts";
import { nowText } from "../items/instant.ts";
import { allRecords, deleteIf, getRecord, type OwnTable, PARTITIONS, toItem } from "./own-table.ts";
import { serverNow, serverNowMs } from "./terms.ts";

const HOLD = "hold";
const MOST_LISTED = 200;
const MOST_TYPE_NAMES = 3;

const keyOf = ({ outbox, scope, subject }: PauseSubject) => ({
  pk: PARTITIONS.pauses(outbox),
  sk: `${scope}#${subject}`,
});
const holdKeyOf = (outbox: string, aggregateKey: string) => ({
  pk: PARTITIONS.pauses(outbox),
  sk: `${HOLD}#${aggregateKey}`,
});
/** `now` is RFC 3339 with microseconds, by the server's clock. */
const inForce = ({ until }: PauseRow, now: string): boolean => until === null || until > now;

/**
 * Active pauses of an outbox, that of the whole first, then the newest. Reads all of them: a pause that was left out
 * would not be kept.
 */
export async function activePauses(own: OwnTable, outbox: string): Promise<PauseRow[]> {
  const records = await allRecords<PauseRow>(own, { pk: PARTITIONS.pauses(outbox) });
  const now = await serverNow(own);
  const rank = ({ scope }: PauseRow) => (scope === "outbox" ? 0 : 1);
  return records
    .map(({ doc }) => doc)
    .filter((pause) => inForce(pause, now))
    .sort((one, other) => rank(one) - rank(other) || (one.at < other.at ? 1 : -1));
}

export async function listPauses(own: OwnTable, outbox: string): Promise<{ pauses: PauseRow[]; total: number }> {
  const pauses = await activePauses(own, outbox);
  return { pauses: pauses.slice(0, MOST_LISTED), total: pauses.length };
}

export function countPauses(pauses: readonly PauseRow[]): PartialPauses {
  const types = pauses.filter(({ scope }) => scope === "event_type");
  return {
    eventTypes: types.length,
    aggregates: pauses.filter(({ scope, messageId }) => scope === "aggregate" && messageId === null).length,
    holds: pauses.filter(({ messageId }) => messageId !== null).length,
    typeNames: types
      .toReversed()
      .slice(0, MOST_TYPE_NAMES)
      .map(({ subject }) => subject),
  };
}

/** Active pauses of the message's type or aggregate, the last to end first. Read by their keys. */
export async function pausesOf(
  own: OwnTable,
  { outbox, eventType, aggregateKey }: { outbox: string; eventType: string | null; aggregateKey: string | null },
): Promise<PauseRow[]> {
  const keys = [
    ...(eventType === null ? [] : [keyOf({ outbox, scope: "event_type", subject: eventType })]),
    ...(aggregateKey === null
      ? []
      : [keyOf({ outbox, scope: "aggregate", subject: aggregateKey }), holdKeyOf(outbox, aggregateKey)]),
  ];
  const records = await Promise.all(keys.map((key) => getRecord<PauseRow>(own, key)));
  const now = await serverNow(own);
  const end = ({ until }: PauseRow) => until ?? "9999";
  return records
    .flatMap((record) => (record && inForce(record.doc, now) ? [record.doc] : []))
    .sort((one, other) => (end(one) < end(other) ? 1 : -1));
}

export async function pauseWrite(
  own: OwnTable,
  { minutes, reason, by, ...subject }: PauseSubject & { reason: string; by: string; minutes: number | null },
): Promise<TransactWriteItem> {
  const at = await serverNow(own);
  const until = minutes === null ? null : nowText(Date.parse(at) + minutes * 60_000);
  const doc: PauseRow = { ...subject, reason, by, at, until, messageId: null };
  return { Put: { TableName: own.name, Item: toItem({ ...keyOf(subject), doc, v: randomUUID() }) } };
}

/** The writes by which the relay holds an aggregate behind a dead message. */
export function holdWrites(
  own: OwnTable,
  hold: { outbox: string; subject: string; reason: string; messageId: string },
): TransactWriteItem[] {
  const doc: PauseRow = { ...hold, scope: "aggregate", by: "relay", at: nowText(serverNowMs(own.link)), until: null };
  const key = holdKeyOf(hold.outbox, hold.subject);
  return [{ Put: { TableName: own.name, Item: toItem({ ...key, doc, v: randomUUID() }) } }];
}

/**
 * Ends the hold of the aggregate behind this dead message, which ends with it; null if none is held behind it.
 */
export async function releaseHoldWrite(
  own: OwnTable,
  { outbox, aggregateKey, messageId }: { outbox: string; aggregateKey: string | null; messageId: string },
): Promise<TransactWriteItem | null> {
  const key = aggregateKey === null ? null : holdKeyOf(outbox, aggregateKey);
  const held = key && (await getRecord<PauseRow>(own, key));
  if (key && held?.doc.messageId === messageId) return deleteIf(own, key, held.v);
  // The item's aggregate may have been changed since it was held.
  const pk = PARTITIONS.pauses(outbox);
  const holds = await allRecords<PauseRow>(own, { pk, prefix: `${HOLD}#` });
  const moved = holds.find(({ doc }) => doc.messageId === messageId);
  return moved ? deleteIf(own, { pk, sk: moved.sk }, moved.v) : null;
}

/** The writes that end an active pause and a hold of the same subject; none if there is neither. */
export async function resumeWrites(own: OwnTable, subject: PauseSubject): Promise<TransactWriteItem[]> {
  const hold = holdKeyOf(subject.outbox, subject.subject);
  const keys = [keyOf(subject), ...(subject.scope === "aggregate" ? [hold] : [])];
  const records = await Promise.all(keys.map((key) => getRecord<PauseRow>(own, key)));
  const now = await serverNow(own);
  return keys.flatMap((key, place) => {
    const record = records[place];
    return record && inForce(record.doc, now) ? [deleteIf(own, key, record.v)] : [];
  });
}
