import { desc, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import type { StoreFacts } from "#domain/diagnosis/facts/store-facts.ts";
import { queryOn } from "../connection/query-on.ts";
import { deliveryOrder } from "../plans/table-access.ts";
import { entriesOf, entryOrder, readGuarded } from "../read/read-entries.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { requirePart } from "./require-reading.ts";

const LOOKED_AT = 10_000;
const MOST_TYPES = 200;

/**
 * Waiting messages by event type, among the first 10,000 in order. Uses the partial index of unpublished rows. Throws
 * ScanRefused.
 */
export async function readWaitingByType(client: PoolClient, ref: OutboxRef): Promise<StoreFacts["waitingByType"]> {
  const { eventType } = ref.mapping.columns;
  if (!eventType) return null;
  const db = queryOn(client);
  const outbox = outboxTable(ref.mapping);
  const reading = await requirePart(client, ref, "waiting");
  const order = deliveryOrder(ref);
  const first = db
    .select({ eventType: sql<string>`${outbox.column(eventType)}::text`.as("eventType") })
    .from(entriesOf(client, ref, reading, entryOrder(reading, order)) as PgTable)
    .where(unsent(outbox))
    .orderBy(...order)
    .limit(LOOKED_AT)
    .as("first");
  const messages = sql<number>`count(*)::int`;
  const query = db
    .select({ eventType: first.eventType, messages })
    .from(first)
    .where(sql`${first.eventType} IS NOT NULL`)
    .groupBy(first.eventType)
    .orderBy(desc(messages))
    .limit(MOST_TYPES);
  return readGuarded(client, reading, () => query);
}
