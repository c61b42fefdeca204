import { sql } from "drizzle-orm";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { all } from "#db/stores/shared/states/conditions.ts";
import { published } from "#db/stores/shared/states/state-predicates.ts";
import type { Session } from "../connection/session.ts";
import { wouldScan } from "../plans/table-access.ts";
import { encodeInstant, instantParameter } from "../tables/column-values.ts";
import { equalsText } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";

const COUNTED = 1000;

/** Number of published later messages of the same aggregate, up to 1,000. Null if counting needs a scan. */
export async function countLaterPublished(session: Session, ref: OutboxRef, row: MessageRow): Promise<number | null> {
  const { aggregateId, createdAt } = ref.mapping.columns;
  if (!aggregateId || row.aggregateId === null || !createdAt || row.createdAt === null) return 0;
  const outbox = outboxTable(ref.mapping);
  const bound = encodeInstant(createdAt, instantParameter(row.createdAt));
  const later = session.db
    .select({ one: sql`1` })
    .from(outbox.rows)
    .where(
      all(
        equalsText(outbox, aggregateId, row.aggregateId),
        published(outbox),
        sql`${outbox.column(createdAt)} > ${bound}`,
      ),
    )
    .limit(COUNTED);
  if (await wouldScan(session, ref, later)) return null;
  return (await later).length;
}
