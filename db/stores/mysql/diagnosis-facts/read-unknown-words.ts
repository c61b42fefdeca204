import { desc, sql } from "drizzle-orm";
import type { MySqlTable } from "drizzle-orm/mysql-core";
import { tellerOf } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { NEVER } from "#db/stores/shared/states/conditions.ts";
import { unknown } from "#db/stores/shared/states/state-predicates.ts";
import type { UnknownWord } from "#domain/diagnosis/facts/messages.ts";
import type { Session } from "../connection/session.ts";
import { entriesOf } from "../read/read-entries.ts";
import { asNumber, exact, textOf } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { requirePart } from "./require-reading.ts";

const CAP = 10_000;
const MOST_WORDS = 10;

/** Status values that the mapping does not name. Null if the table has no status or flag column. Throws ScanRefused. */
export async function readUnknownWords(session: Session, ref: OutboxRef): Promise<UnknownWord[] | null> {
  const column = tellerOf(ref.mapping);
  const outbox = outboxTable(ref.mapping);
  const predicate = unknown(outbox);
  if (predicate === NEVER || !column) return null;
  const { db } = session;
  const reading = await requirePart(session, ref, "unknown");
  const found = db
    .select({ word: exact(textOf(outbox, column)).as("word") })
    .from(entriesOf(ref, reading) as unknown as MySqlTable)
    .where(predicate)
    .limit(CAP)
    .as("found");
  const messages = asNumber(sql`COUNT(*)`);
  const rows = await db
    .select({ word: sql<string | null>`${found.word}`, messages })
    .from(found)
    .groupBy(found.word)
    .orderBy(desc(messages))
    .limit(MOST_WORDS);
  const counted = rows.reduce((sum, row) => sum + row.messages, 0);
  return rows.map((row) => ({ ...row, capped: counted >= CAP }));
}
