import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { UnknownWord } from "#domain/diagnosis/facts.ts";
import { entriesOf, readGuarded } from "../read/read-entries.ts";
import { columnSql, unknownPredicate } from "../tables/mapping-sql.ts";
import { requirePart } from "./require-reading.ts";

const CAP = 10_000;

/** Status values that the mapping does not name. Null where the table has no status. Throws ScanRefused. */
export async function readUnknownWords(client: PoolClient, ref: OutboxRef): Promise<UnknownWord[] | null> {
  const { lifecycle } = ref.mapping;
  const predicate = unknownPredicate(ref.mapping, "t");
  if (predicate === "false" || (lifecycle.kind !== "status" && lifecycle.kind !== "flag")) return null;
  const reading = await requirePart(client, ref, "unknown");
  const sql = `SELECT word, count(*)::int AS messages FROM (
    SELECT ${columnSql(lifecycle.column, "t")}::text AS word FROM ${entriesOf(ref, reading, null)} t WHERE ${predicate} LIMIT ${CAP}) found
    GROUP BY word ORDER BY 2 DESC LIMIT 10`;
  const read = async () => (await client.query<Omit<UnknownWord, "capped">>(sql)).rows;
  const rows = await readGuarded(client, reading, read);
  const counted = rows.reduce((sum, row) => sum + row.messages, 0);
  return rows.map((row) => ({ ...row, capped: counted >= CAP }));
}
