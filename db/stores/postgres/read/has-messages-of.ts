import { type SQL, sql } from "drizzle-orm";
import type { Pool } from "pg";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { fitsType } from "#db/stores/postgres/tables/fits-type.ts";
import { all, NEVER } from "#db/stores/shared/states/conditions.ts";
import { castTo } from "../connection/dialect.ts";
import { queryOn } from "../connection/query-on.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { wouldScan } from "../plans/query-cost.ts";
import { comparisonType } from "../tables/column-values.ts";
import { aggregateKey } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";

const TIMEOUT_MS = 1000;

/**
 * True if the table has any message of the event type or aggregate, in any state. Null if the answer needs a scan of a
 * large table. Indexes: the team's own, as for list filters.
 */
export async function hasMessagesOf(
  pool: Pool,
  mapping: OutboxMapping,
  subject: { eventType: string } | { aggregateKey: string },
): Promise<boolean | null> {
  const wanted =
    "eventType" in subject ? ofType(mapping, subject.eventType) : ofAggregate(mapping, subject.aggregateKey);
  if (wanted === NEVER) return false;
  return withReadTransaction(pool, TIMEOUT_MS, async (client) => {
    const { rows } = outboxTable(mapping);
    const query = queryOn(client).select({ one: sql`1` }).from(rows).where(wanted).limit(1);
    return (await wouldScan(client, query)) ? null : (await query).length > 0;
  });
}

function ofType(mapping: OutboxMapping, type: string): SQL {
  const { eventType } = mapping.columns;
  if (!eventType || !fitsType(type, eventType.type)) return NEVER;
  return sql`${outboxTable(mapping).column(eventType)}::text = ${type}`;
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
  const fitting = ids.filter((id) => fitsType(id, aggregateId.type));
  if (fitting.length === 0) return NEVER;
  const outbox = outboxTable(mapping);
  const array = sql`${sql.param(fitting)}::text[]${castTo(`${comparisonType(aggregateId.type)}[]`)}`;
  return all(sql`${outbox.column(aggregateId)} = ANY (${array})`, sql`${aggregateKey(outbox)} = ${key}`);
}
