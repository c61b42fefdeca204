import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { OwnTables } from "../connection/session.ts";
import { messageIdBytes, ownName } from "../relay/relay-context.ts";
import { quoteLiteral, unsentPredicate } from "../tables/mapping-sql.ts";

/** SQL over row `o`: a relay has yet to publish it, also after a failure. */
export function waitingSql(own: OwnTables, { name, mapping }: OutboxRef): string {
  const dead = `SELECT 1 FROM ${ownName(own.delivery)} d WHERE d.outbox = ${quoteLiteral(name)} AND d.message_id = ${messageIdBytes(mapping)} AND d.dead_at IS NOT NULL`;
  return `${unsentPredicate(mapping, "o")} AND NOT EXISTS (${dead})`;
}
