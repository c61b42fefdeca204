import type { NewItem } from "#db/stores/port/bulk-records.ts";
import type { OutboxActions } from "#db/stores/port/outbox-actions.ts";
import type { BulkAction } from "#domain/bulk-operation.ts";

/** Actions after which messages are sent. */
const SENDS: readonly BulkAction[] = ["retry", "republish"];

/**
 * The items of a page, numbered in the order in which the outbox delivers. Lists go by a time, and messages that died,
 * were archived or were written in one transaction share it.
 */
export async function numberInOrder(
  act: Pick<OutboxActions, "inOrder">,
  action: BulkAction,
  items: readonly NewItem[],
): Promise<NewItem[]> {
  const byId = new Map(items.map((item) => [item.messageId, item]));
  // A person may have chosen a message twice.
  if (!SENDS.includes(action) || items.length < 2 || byId.size < items.length) return [...items];
  const numbers = items.map(({ seq }) => seq).sort((one, other) => one - other);
  const ids = await act.inOrder([...byId.keys()]);
  return ids.flatMap((id, place) => {
    const [item, seq] = [byId.get(id), numbers[place]];
    return item && seq !== undefined ? [{ ...item, seq }] : [];
  });
}
