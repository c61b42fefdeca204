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
    aggregates: pauses.filter(({ scope }) => scope === "aggregate").length,
    holds: 0,
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

/** The write that ends an active pause; null if there is none. */
export async function resumeWrite(own: OwnTable, subject: PauseSubject): Promise<TransactWriteItem | null> {
  const record = await getRecord<PauseRow>(own, keyOf(subject));
  return record && inForce(record.doc) ? deleteIf(own, keyOf(subject), record.v) : null;
}
