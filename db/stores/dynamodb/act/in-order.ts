import { textOf } from "../items/item.ts";
import { findMessage } from "../read/find-message.ts";
import { sortable } from "../read/list-messages.ts";
import type { Room } from "../room.ts";

/** The ids in the order of first deliveries; those of no message come last. Each is read by key. */
export async function inOrder(room: Room, ids: readonly string[]): Promise<string[]> {
  const { columns } = room.ref.mapping;
  const by = columns.order ?? columns.createdAt;
  const places = await Promise.all(
    ids.map(async (id, asked) => {
      const found = await findMessage(room, id).catch((error: unknown) => {
        if (error instanceof Error && "code" in error && error.code === "not_found") return undefined;
        throw error;
      });
      const position = by && found?.item ? sortable(textOf(found.item[by.name]), by.type) : null;
      return { id, asked, known: found !== undefined, position: position ?? found?.row.createdAt ?? "" };
    }),
  );
  const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  return places
    .sort((one, other) => {
      if (one.known !== other.known) return one.known ? -1 : 1;
      return one.known ? compare(one.position, other.position) || compare(one.id, other.id) : one.asked - other.asked;
    })
    .map(({ id }) => id);
}
