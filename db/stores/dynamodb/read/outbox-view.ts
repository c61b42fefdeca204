import type { AppError } from "#domain/errors.ts";
import type { MessageRow } from "../../port/message-row.ts";
import { StoreError } from "../../port/store-error.ts";
import type { Item } from "../items/item.ts";
import type { Reading } from "../items/item-source.ts";
import { idOf } from "../items/message-key.ts";
import type { ArchiveDoc, DeadDoc, RestoredDoc } from "../items/moved.ts";
import { type OwnRecord, PARTITIONS, queryRecords } from "../own-table/own-table.ts";
import type { Room } from "../room.ts";
import { rowOfArchived, rowOfDead, rowOfItem } from "./message-row.ts";

/** Records of one kind that one reading takes from our table. */
const MOST_RECORDS = 10_000;

export interface Entry {
  row: MessageRow;
  /** Null for a message whose item has left the team's table. */
  item: Item | null;
}

/** One reading of an outbox, judged: what it holds and how much of it was seen. */
export interface OutboxView {
  entries: Entry[];
  covers: Reading["covers"];
  fromIndex: boolean;
  whole: boolean;
  tableItems: number;
  tableBytes: number;
  /** All dead letters and all archived messages were read. */
  deadComplete: boolean;
  archiveComplete: boolean;
  dead: OwnRecord<DeadDoc>[];
  asOf: string;
}

/** Throws StoreError `missing` without the table. */
export async function readView({ ref, own, source }: Room): Promise<OutboxView> {
  const [reading, dead, archived, restored] = await Promise.all([
    source.read(),
    recordsOf<DeadDoc>(own, ref.storeSide ? PARTITIONS.dead(ref.name) : null),
    recordsOf<ArchiveDoc>(own, ref.storeSide ? PARTITIONS.archive(ref.name) : null),
    recordsOf<RestoredDoc>(own, ref.storeSide ? PARTITIONS.restored(ref.name) : null),
  ]);
  if (!reading) throw tableMissing(ref.mapping.table.schema);
  const { items, units: _, asOf, ...about } = reading;
  const deadById = new Map(dead.records.map((record) => [record.sk, record]));
  const restoredById = new Map(restored.records.map((record) => [record.sk, record]));
  const inTable = items.map((item): Entry => {
    const id = idOf(item, ref.mapping);
    const beside = { dead: deadById.get(id), restored: restoredById.get(id) };
    return { item, row: rowOfItem(ref, item, beside, asOf) };
  });
  const moved = dead.records.filter(({ doc }) => doc.moved).map((record) => rowOfDead(ref, record, asOf));
  const kept = archived.records.map((record) => rowOfArchived(ref, record, asOf));
  return {
    ...about,
    entries: [...inTable, ...[...moved, ...kept].map((row) => ({ row, item: null }))],
    deadComplete: dead.complete,
    archiveComplete: archived.complete,
    dead: dead.records,
    asOf,
  };
}

async function recordsOf<Doc>(own: Room["own"], pk: string | null) {
  return pk === null ? { records: [], complete: true } : queryRecords<Doc>(own, { pk, limit: MOST_RECORDS });
}

export function tableMissing(table: string): AppError {
  return new StoreError("missing", "unavailable", `The table ${table} does not exist.`, {});
}
