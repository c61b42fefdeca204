import { sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { all } from "#db/stores/shared/states/conditions.ts";
import { published } from "#db/stores/shared/states/state-predicates.ts";
import { queryOn } from "../connection/query-on.ts";
import { wouldScan } from "../plans/query-cost.ts";
import { comparable, encodeInstant } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";

const COUNTED = 1000;

/** Number of published later messages of the same aggregate, up to 1,000. Null if counting needs a scan. */
export async function countLaterPublished(client: PoolClient, ref: OutboxRef, row: MessageRow): Promise<number | null> {
  const { aggregateId, createdAt } = ref.mapping.columns;
  if (!aggregateId || row.aggregateId === null || !createdAt || row.createdAt === null) return 0;
  const db = queryOn(client);
  const outbox = outboxTable(ref.mapping);
  const bound = encodeInstant(createdAt, sql`${row.createdAt}::text::timestamptz`);
  const later = db
    .select({ one: sql`1`.as("one") })
    .from(outbox.rows)
    .where(
      all(
        sql`${outbox.column(aggregateId)} = ${comparable(aggregateId, row.aggregateId)}`,
        published(outbox),
        sql`${outbox.column(createdAt)} > ${bound}`,
      ),
    )
    .limit(COUNTED)
    .as("later");
  const query = db.select({ count: sql<number>`count(*)::int` }).from(later);
  if (await wouldScan(client, query)) return null;
  return (await query)[0]?.count ?? 0;
}
