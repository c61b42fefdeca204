import { textOf } from "../items/item.ts";
import { findEach } from "../read/find-message.ts";
import { sortable } from "../read/list-messages.ts";
import type { Room } from "../room.ts";

/** The ids in the order of first deliveries; those of no message come last. Each is read by key. */
export async function inOrder(room: Room, ids: readonly string[]): Promise<string[]> {
  const { columns } = room.ref.mapping;
  const by = columns.order ?? columns.createdAt;
  const places = (await findEach(room, ids)).map(({ id, message }, asked) => {
    const position = by && message?.item ? sortable(textOf(message.item[by.name]), by.type) : null;
    return { id, asked, known: message !== undefined, position: position ?? message?.row.createdAt ?? "" };
  });
  const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  return places
    .sort((one, other) => {
      if (one.known !== other.known) return one.known ? -1 : 1;
      return one.known ? compare(one.position, other.position) || compare(one.id, other.id) : one.asked - other.asked;
    })
    .map(({ id }) => id);
}
