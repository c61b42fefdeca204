import { type SQL, sql } from "drizzle-orm";
import type { InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import type { InboxLookup, LookedUpRow } from "#db/stores/port/inbox-reader.ts";
import { scanRefused } from "#db/stores/shared/read/scan-refused.ts";
import { all } from "#db/stores/shared/states/conditions.ts";
import type { Session } from "../connection/session.ts";
import { orderBy } from "../plans/find-access.ts";
import { wouldScan } from "../plans/table-access.ts";
import { textOf } from "../tables/column-values.ts";
import { fitsType } from "../tables/fits-type.ts";
import { oneOf } from "../tables/message-key.ts";
import { inboxTable } from "../tables/outbox-table.ts";
import { statesOfInbox } from "../tables/states/inbox-state.ts";
import { filterWhere, indexOver, rowsOf } from "./inbox-access.ts";
import { timeText } from "./read-inbox.ts";

/** As InboxReader.lookUp. Throws filter_not_indexed. */
export async function lookUpInboxRows(
  session: Session,
  mapping: InboxMapping,
  { messageIds, consumer }: InboxLookup,
): Promise<LookedUpRow[]> {
  const { messageId, processedAt, receivedAt } = mapping;
  const ids = messageIds.filter((id) => fitsType(id, messageId.type));
  if (ids.length === 0) return [];
  const inbox = inboxTable(mapping);
  const text = textOf(inbox, messageId) as SQL<string>;
  const query = session.db
    .select({
      messageId: text,
      consumer: textOf(inbox, mapping.consumer),
      state: statesOfInbox(mapping).state,
      at: sql<string | null>`coalesce(${timeText(mapping, processedAt)}, ${timeText(mapping, receivedAt)})`,
    })
    .from(inbox.rows)
    .where(all(oneOf(inbox, messageId, ids), filterWhere(mapping, { state: "all", ...ofConsumer(mapping, consumer) })));
  if (await wouldScan(session, { mapping }, query)) throw scanRefused(indexOver(mapping, messageId));
  return query;
}

/** As InboxReader.oldestDone. */
export async function oldestDoneRow(
  session: Session,
  mapping: InboxMapping,
  consumer: string | null,
): Promise<string | null> {
  const inbox = inboxTable(mapping);
  const state = mapping.mark.kind === "none" ? "all" : "processed";
  for (const time of [mapping.processedAt, mapping.receivedAt]) {
    if (!time?.time) continue;
    const order = { columns: [time], descending: false };
    const from = await rowsOf(session, mapping, { filter: { state }, order });
    if (!from) continue;
    const isDone = filterWhere(mapping, { state, ...ofConsumer(mapping, consumer) });
    const [row] = await session.db
      .select({ at: timeText(mapping, time) })
      .from(from)
      .where(all(sql`${inbox.column(time)} IS NOT NULL`, isDone))
      .orderBy(orderBy(inbox, order))
      .limit(1);
    return row?.at ?? null;
  }
  return null;
}

function ofConsumer(mapping: InboxMapping, consumer: string | null): { consumer?: string } {
  return consumer !== null && mapping.consumer ? { consumer } : {};
}
