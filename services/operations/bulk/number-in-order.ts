import type { NewItem } from "#db/stores/port/bulk-records.ts";
import type { OutboxActions } from "#db/stores/port/outbox-actions.ts";
import type { BulkAction } from "#domain/message/bulk-operation.ts";

/** Actions after which messages are sent. */
const SENDS: readonly BulkAction[] = ["retry", "republish"];

/**
 * The items of a page, numbered in the order in which the outbox delivers. Lists go by a time, and messages that died
 * or were written in one transaction share it. Those whose place is not known stay in the order of their numbers.
 */
export async function numberInOrder(
  act: Pick<OutboxActions, "inOrder">,
  action: BulkAction,
  items: readonly NewItem[],
): Promise<NewItem[]> {
  const inTurn = items.toSorted((one, other) => one.seq - other.seq);
  const byId = new Map(inTurn.map((item) => [item.messageId, item]));
  // A person may have chosen a message twice.
  if (!SENDS.includes(action) || items.length < 2 || byId.size < items.length) return [...items];
  const numbers = inTurn.map(({ seq }) => seq);
  const ids = await act.inOrder([...byId.keys()]);
  return ids.flatMap((id, place) => {
    const [item, seq] = [byId.get(id), numbers[place]];
    return item && seq !== undefined ? [{ ...item, seq }] : [];
  });
}
