import { desc, sql } from "drizzle-orm";
import type { MySqlTable } from "drizzle-orm/mysql-core";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import type { StoreFacts } from "#domain/diagnosis/facts/store-facts.ts";
import type { Session } from "../connection/session.ts";
import { deliveryOrder } from "../plans/table-access.ts";
import { entriesOf, entryOrder } from "../read/read-entries.ts";
import { asNumber, exact, textOf } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { requirePart } from "./require-reading.ts";

const LOOKED_AT = 10_000;
const MOST_TYPES = 200;

/**
 * Waiting messages by event type, among the first 10,000 in order. Index: that of waiting rows. Throws ScanRefused.
 */
export async function readWaitingByType(session: Session, ref: OutboxRef): Promise<StoreFacts["waitingByType"]> {
  const { eventType } = ref.mapping.columns;
  if (!eventType) return null;
  const { db } = session;
  const outbox = outboxTable(ref.mapping);
  const reading = await requirePart(session, ref, "waiting");
  const order = entryOrder(reading, deliveryOrder(ref));
  const first = db
    .select({ eventType: exact(textOf(outbox, eventType)).as("eventType") })
    .from(entriesOf(ref, reading, { order }) as unknown as MySqlTable)
    .where(unsent(outbox))
    .limit(LOOKED_AT)
    .as("first");
  const messages = asNumber(sql`COUNT(*)`);
  return db
    .select({ eventType: sql<string>`${first.eventType}`, messages })
    .from(first)
    .where(sql`${first.eventType} IS NOT NULL`)
    .groupBy(first.eventType)
    .orderBy(desc(messages))
    .limit(MOST_TYPES);
}
