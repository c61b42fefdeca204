import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { PartialPauses, PauseRow, PauseSubject } from "../../port/pauses.ts";
import { nowText } from "../items/instant.ts";
import { deleteIf, getRecord, type OwnTable, PARTITIONS, queryRecords, toItem } from "./own-table.ts";

const MOST_READ = 5_000;
const MOST_LISTED = 200;
const MOST_TYPE_NAMES = 3;

const keyOf = ({ outbox, scope, subject }: PauseSubject) => ({
  pk: PARTITIONS.pauses(outbox),
  sk: `${scope}#${subject}`,
});
const inForce = ({ until }: PauseRow): boolean => until === null || until > nowText();

/** Active pauses of an outbox, that of the whole first, then the newest. */
export async function activePauses(own: OwnTable, outbox: string): Promise<PauseRow[]> {
  const { records } = await queryRecords<PauseRow>(own, { pk: PARTITIONS.pauses(outbox), limit: MOST_READ });
  const rank = ({ scope }: PauseRow) => (scope === "outbox" ? 0 : 1);
  return records
    .map(({ doc }) => doc)
    .filter(inForce)
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

/** Active pauses of the message's type or aggregate, the last to end first. */
export async function pausesOf(
  own: OwnTable,
  { outbox, eventType, aggregateKey }: { outbox: string; eventType: string | null; aggregateKey: string | null },
): Promise<PauseRow[]> {
  const isIts = ({ scope, subject }: PauseRow) =>
    (scope === "event_type" && subject === eventType) || (scope === "aggregate" && subject === aggregateKey);
  const end = ({ until }: PauseRow) => until ?? "9999";
  return (await activePauses(own, outbox)).filter(isIts).sort((one, other) => (end(one) < end(other) ? 1 : -1));
}

export function pauseWrite(
  own: OwnTable,
  { minutes, reason, by, ...subject }: PauseSubject & { reason: string; by: string; minutes: number | null },
): TransactWriteItem {
  const nowMs = Date.now();
  const until = minutes === null ? null : nowText(nowMs + minutes * 60_000);
  const doc: PauseRow = { ...subject, reason, by, at: nowText(nowMs), until, messageId: null };
  return { Put: { TableName: own.name, Item: toItem({ ...keyOf(subject), doc, v: randomUUID() }) } };
}

const HOLD = "hold";

/** The writes by which the relay holds an aggregate behind a dead message. */
export function holdWrites(
  own: OwnTable,
  hold: { outbox: string; subject: string; reason: string; messageId: string },
): TransactWriteItem[] {
  const doc: PauseRow = { ...hold, scope: "aggregate", by: "relay", at: nowText(), until: null };
  const key = { pk: PARTITIONS.pauses(hold.outbox), sk: `${HOLD}#${hold.subject}` };
  return [{ Put: { TableName: own.name, Item: toItem({ ...key, doc, v: randomUUID() }) } }];
}

/** The hold behind a dead message, which ends with it; null if there is none. */
export async function releaseHoldWrite(
  own: OwnTable,
  { outbox, messageId }: { outbox: string; messageId: string },
): Promise<TransactWriteItem | null> {
  const pk = PARTITIONS.pauses(outbox);
  const { records } = await queryRecords<PauseRow>(own, { pk, prefix: `${HOLD}#`, limit: MOST_READ });
  const held = records.find(({ doc }) => doc.messageId === messageId);
  return held ? deleteIf(own, { pk, sk: held.sk }, held.v) : null;
}

/** The writes that end an active pause and a hold of the same subject; none if there is neither. */
export async function resumeWrites(own: OwnTable, subject: PauseSubject): Promise<TransactWriteItem[]> {
  const hold = { pk: PARTITIONS.pauses(subject.outbox), sk: `${HOLD}#${subject.subject}` };
  const keys = [keyOf(subject), ...(subject.scope === "aggregate" ? [hold] : [])];
  const records = await Promise.all(keys.map((key) => getRecord<PauseRow>(own, key)));
  return keys.flatMap((key, place) => {
    const record = records[place];
    return record && inForce(record.doc) ? [deleteIf(own, key, record.v)] : [];
  });
}
