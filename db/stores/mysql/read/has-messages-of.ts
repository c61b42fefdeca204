import { type SQL, sql } from "drizzle-orm";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { all, any, grouped, NEVER } from "#db/stores/shared/states/conditions.ts";
import type { Session } from "../connection/session.ts";
import { wouldScan } from "../plans/table-access.ts";
import { exact } from "../tables/column-values.ts";
import { fitsType } from "../tables/fits-type.ts";
import { aggregateKey, equalsText } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/**
 * True if the table has any message of the event type or aggregate, in any state. Null if the answer needs a scan of a
 * large table. Indexes: the team's own, as for list filters.
 */
export async function hasMessagesOf(
  session: Session,
  mapping: OutboxMapping,
  subject: { eventType: string } | { aggregateKey: string },
): Promise<boolean | null> {
  const wanted =
    "eventType" in subject ? ofType(mapping, subject.eventType) : ofAggregate(mapping, subject.aggregateKey);
  if (wanted === NEVER) return false;
  const { rows } = outboxTable(mapping);
  const query = session.db.select({ one: sql`1` }).from(rows).where(wanted).limit(1);
  return (await wouldScan(session, { mapping }, query)) ? null : (await query).length > 0;
}

function ofType(mapping: OutboxMapping, type: string): SQL {
  const { eventType } = mapping.columns;
  if (!eventType || !fitsType(type, eventType.type)) return NEVER;
  return equalsText(outboxTable(mapping), eventType, type);
}

/**
 * Searches by the aggregate id, which may be indexed. The type may contain slashes too, so the text after each slash is
 * a candidate id.
 */
function ofAggregate(mapping: OutboxMapping, key: string): SQL {
  const { aggregateId, aggregateType } = mapping.columns;
  if (!aggregateId) return NEVER;
  const parts = key.split("/");
  const ids = aggregateType ? parts.slice(1).map((_, index) => parts.slice(index + 1).join("/")) : [key];
  const outbox = outboxTable(mapping);
  const fitting = ids.filter((id) => fitsType(id, aggregateId.type));
  const isOne = any(...fitting.map((id) => grouped(equalsText(outbox, aggregateId, id))));
  return all(isOne, sql`${exact(aggregateKey(outbox))} = ${exact(sql`${key}`)}`);
}
