import type { PoolClient } from "pg";
import type { UnknownWord } from "#domain/diagnosis/facts.ts";
import type { OutboxRef } from "../outbox/outbox-ref.ts";
import { columnSql, quoteTable, unknownPredicate } from "../outbox/postgres/mapping-sql.ts";
import { wouldScan } from "../outbox/postgres/query-cost.ts";

const CAP = 10_000;

/** Status values that the mapping does not name. Null where the table has no status, or looking would scan it whole. */
export async function readUnknownWords(client: PoolClient, ref: OutboxRef): Promise<UnknownWord[] | null> {
  const { lifecycle } = ref.mapping;
  const predicate = unknownPredicate(ref.mapping, "t");
  if (predicate === "false" || (lifecycle.kind !== "status" && lifecycle.kind !== "flag")) return null;
  const sql = `SELECT word, count(*)::int AS messages FROM (
    SELECT ${columnSql(lifecycle.column, "t")}::text AS word FROM ${quoteTable(ref.mapping.table)} t WHERE ${predicate} LIMIT ${CAP}) found
    GROUP BY word ORDER BY 2 DESC LIMIT 10`;
  if (await wouldScan(client, sql, [])) return null;
  const { rows } = await client.query<Omit<UnknownWord, "capped">>(sql);
  const counted = rows.reduce((sum, row) => sum + row.messages, 0);
  return rows.map((row) => ({ ...row, capped: counted >= CAP }));
}
