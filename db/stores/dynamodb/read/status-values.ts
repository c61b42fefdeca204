import { tellerOf } from "#db/stores/port/mapping.ts";
import type { StatusValues } from "../../port/outbox-reader.ts";
import { textOf } from "../items/item.ts";
import type { Room } from "../room.ts";
import { readView } from "./outbox-view.ts";

/** Values of the attribute that marks the state, of the items that were read. Null if there is no single one. */
export async function readStatusValues(room: Room): Promise<StatusValues | null> {
  const column = tellerOf(room.ref.mapping);
  if (!column) return null;
  const view = await readView(room);
  const items = view.entries.flatMap(({ item }) => (item ? [item] : []));
  const counts = new Map<string | null, number>();
  for (const item of items) {
    const value = textOf(item[column.name]);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const values = [...counts].map(([value, rows]) => ({ value, rows })).sort((one, other) => other.rows - one.rows);
  return { column: column.name, values, read: items.length, more: view.covers !== "all" };
}
