import type { AppError } from "#domain/errors.ts";
import type { MessageRow } from "../../port/message-row.ts";
import { StoreError } from "../../port/store-error.ts";
import type { Item } from "../items/item.ts";
import type { Kept, Reading } from "../items/item-source.ts";
import { idOf } from "../items/message-key.ts";
import type { Room } from "../room.ts";
import { rowOfArchived, rowOfDead, rowOfItem } from "./message-row.ts";

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
  kept: Kept;
  /** Ids of messages that an operator has brought back or retried. */
  returned: ReadonlySet<string>;
  asOf: string;
}

/** Throws StoreError `missing` without the table. */
export async function readView({ ref, source }: Room): Promise<OutboxView> {
  const reading = await source.read();
  if (!reading) throw tableMissing(ref.mapping.table.schema);
  const { items, units: _, asOf, kept, ...about } = reading;
  const { dead, archived, restored } = kept;
  const recorded = dead.records.filter(({ doc }) => !doc.moved);
  const deadById = new Map(recorded.map((record) => [record.sk, record]));
  const restoredById = new Map(restored.records.map((record) => [record.sk, record]));
  const inTable = items.map((item): Entry => {
    const id = idOf(item, ref.mapping);
    const beside = { dead: deadById.get(id), restored: restoredById.get(id) };
    return { item, row: rowOfItem(ref, item, beside, asOf) };
  });
  const letters = dead.records.filter(({ doc }) => doc.moved).map((record) => rowOfDead(ref, record, asOf));
  const archive = archived.records.map((record) => rowOfArchived(ref, record, asOf));
  return {
    ...about,
    entries: [...inTable, ...[...letters, ...archive].map((row) => ({ row, item: null }))],
    deadComplete: dead.complete,
    archiveComplete: archived.complete,
    kept,
    returned: new Set(restoredById.keys()),
    asOf,
  };
}

export function tableMissing(table: string): AppError {
  return new StoreError("missing", "unavailable", `The table ${table} does not exist.`, {});
}
