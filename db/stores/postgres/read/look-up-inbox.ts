import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import type { InboxLookup, LookedUpRow } from "#db/stores/port/inbox-reader.ts";
import { fitsType } from "#db/stores/postgres/tables/fits-type.ts";
import { ALWAYS, all } from "#db/stores/shared/states/conditions.ts";
import { castTo } from "../connection/dialect.ts";
import { queryOn } from "../connection/query-on.ts";
import { MOST_FILTER_COST, planCost, refuseScan } from "../plans/query-cost.ts";
import { comparisonType, instantOf, instantText, textOf } from "../tables/column-values.ts";
import { equalsIfFits } from "../tables/message-filter.ts";
import { inboxTable } from "../tables/outbox-table.ts";
import { statesOfInbox } from "../tables/states/inbox-state.ts";
import { indexOver, timeText } from "./read-inbox.ts";

/** As InboxReader.lookUp. Throws filter_not_indexed. */
export async function lookUpInboxRows(
  client: PoolClient,
  mapping: InboxMapping,
  { messageIds, consumer }: InboxLookup,
): Promise<LookedUpRow[]> {
  const { messageId, processedAt, receivedAt } = mapping;
  const ids = messageIds.filter((id) => fitsType(id, messageId.type));
  if (ids.length === 0) return [];
  const inbox = inboxTable(mapping);
  const text = textOf(inbox, messageId) as SQL<string>;
  const query = queryOn(client)
    .select({
      messageId: text,
      consumer: textOf(inbox, mapping.consumer),
      state: statesOfInbox(mapping).state,
      at: sql<string | null>`coalesce(${timeText(mapping, processedAt)}, ${timeText(mapping, receivedAt)})`,
    })
    .from(inbox.rows)
    .where(
      all(
        sql`${inbox.column(messageId)} = ANY(${sql.param(ids)}::text[]${castTo(comparisonType(messageId.type))}[])`,
        ofConsumer(mapping, consumer),
      ),
    );
  await refuseScan(client, query, indexOver(mapping, messageId), MOST_FILTER_COST);
  return query;
}

/** As InboxReader.oldestDone. */
export async function oldestDoneRow(
  client: PoolClient,
  mapping: InboxMapping,
  consumer: string | null,
): Promise<string | null> {
  const inbox = inboxTable(mapping);
  const { processed } = statesOfInbox(mapping);
  const isDone = mapping.mark.kind === "none" ? ALWAYS : processed;
  for (const time of [mapping.processedAt, mapping.receivedAt]) {
    if (!time?.time) continue;
    const query = queryOn(client)
      .select({ at: instantText(instantOf(inbox, time)) })
      .from(inbox.rows)
      .where(all(sql`${inbox.column(time)} IS NOT NULL`, isDone, ofConsumer(mapping, consumer)))
      .orderBy(sql`${inbox.column(time)} ASC`)
      .limit(1);
    if ((await planCost(client, query)) > MOST_FILTER_COST) continue;
    const [row] = await query;
    return row?.at ?? null;
  }
  return null;
}

function ofConsumer(mapping: InboxMapping, consumer: string | null): SQL {
  return consumer !== null && mapping.consumer ? equalsIfFits(inboxTable(mapping), mapping.consumer, consumer) : ALWAYS;
}
