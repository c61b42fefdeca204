import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { messageId } from "../relay/relay-context.ts";
import { unsentPredicate } from "../tables/mapping-sql.ts";

/** Messages of the table `o` that a relay has yet to publish, those that failed included. `$1` is the outbox. */
export function waitingSql({ mapping }: Pick<OutboxRef, "mapping">): { id: string; where: string } {
  const id = messageId(mapping);
  const dead = `SELECT FROM outbox_console.delivery d WHERE d.outbox = $1 AND d.message_id = ${id} AND d.dead_at IS NOT NULL`;
  return { id, where: `${unsentPredicate(mapping, "o")} AND NOT EXISTS (${dead})` };
}
