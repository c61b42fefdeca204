import { desc, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import { tellerOf } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { NEVER } from "#db/stores/shared/states/conditions.ts";
import { unknown } from "#db/stores/shared/states/state-predicates.ts";
import type { UnknownWord } from "#domain/diagnosis/facts/messages.ts";
import { queryOn } from "../connection/query-on.ts";
import { entriesOf, readGuarded } from "../read/read-entries.ts";
import { textOf } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { requirePart } from "./require-reading.ts";

const CAP = 10_000;
const MOST_WORDS = 10;

/** Status values that the mapping does not name. Null if the table has no status or flag column. Throws ScanRefused. */
export async function readUnknownWords(client: PoolClient, ref: OutboxRef): Promise<UnknownWord[] | null> {
  const column = tellerOf(ref.mapping);
  const outbox = outboxTable(ref.mapping);
  const predicate = unknown(outbox);
  if (predicate === NEVER || !column) return null;
  const db = queryOn(client);
  const reading = await requirePart(client, ref, "unknown");
  const found = db
    .select({ word: textOf(outbox, column).as("word") })
    .from(entriesOf(client, ref, reading, []) as PgTable)
    .where(predicate)
    .limit(CAP)
    .as("found");
  const messages = sql<number>`count(*)::int`;
  const query = db
    .select({ word: found.word, messages })
    .from(found)
    .groupBy(found.word)
    .orderBy(desc(messages))
    .limit(MOST_WORDS);
  const rows = await readGuarded(client, reading, () => query);
  const counted = rows.reduce((sum, row) => sum + row.messages, 0);
  return rows.map((row) => ({ ...row, capped: counted >= CAP }));
}
