import type { PoolClient } from "pg";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { RetentionRule } from "#db/stores/port/retention.ts";
import { ageColumn } from "#db/stores/shared/retention/age-column.ts";
import { whyNotByMapping } from "#db/stores/shared/retention/why-not-by-mapping.ts";
import { whyRowsCannotMove } from "../catalog/can-move-rows.ts";
import { heirSql } from "../catalog/heir-sql.ts";
import { quoteTable } from "../tables/mapping-sql.ts";
import { chooseWalk, indexSql } from "./choose-walk.ts";

/** Sentence: why no row of the table may be removed, and what to answer; null if they may. */
export async function whyRowsStay(client: PoolClient, ref: OutboxRef, rule: RetentionRule): Promise<string | null> {
  const byMapping = whyNotByMapping(ref);
  if (byMapping !== null) return byMapping;
  const age = ageColumn(ref.mapping);
  if (!age)
    return "No column says when a row was published or created, so none is known to be old. Map createdAt or publishedAt.";
  const clause = await (rule.how === "archive"
    ? whyRowsCannotMove(client, ref.mapping.table)
    : whyRowsCannotGo(client, ref.mapping));
  if (clause !== null) return clause;
  if (await chooseWalk(client, ref, age)) return null;
  return `No index leads to the oldest rows of this table, so each look for them would read all of it. Create one as the table's owner: ${indexSql(ref, age)}`;
}

const CANNOT_GO_SQL = `
WITH tree AS (SELECT $1::regclass::oid AS oid UNION SELECT relid FROM pg_partition_tree($1::regclass))
SELECT (SELECT conrelid::regclass::text FROM pg_constraint WHERE confrelid IN (SELECT oid FROM tree) AND contype = 'f' LIMIT 1) AS referenced,
  (SELECT tgname FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM tree) AND NOT tgisinternal AND tgenabled <> 'D' AND (tgtype & 8) <> 0 LIMIT 1) AS trigger,
  (SELECT p.pubname FROM pg_publication_tables p JOIN pg_namespace n ON n.nspname = p.schemaname
     JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = p.tablename JOIN pg_publication o ON o.pubname = p.pubname
   WHERE c.oid IN (SELECT oid FROM tree) AND o.pubdelete LIMIT 1) AS publication,
  (SELECT rulename FROM pg_rules WHERE schemaname = $2 AND tablename = $3 LIMIT 1) AS rule,
  (SELECT CASE WHEN c.relkind = 'r' THEN (${heirSql("c.oid")}) END FROM pg_class c WHERE c.oid = $1::regclass) AS heir`;

/** A delete that has an effect elsewhere is not ours to make. */
export async function whyRowsCannotGo(
  client: PoolClient,
  { table }: Pick<OutboxMapping, "table">,
): Promise<string | null> {
  const { rows } = await client.query<
    Record<"referenced" | "trigger" | "publication" | "rule" | "heir", string | null>
  >(CANNOT_GO_SQL, [quoteTable(table), table.schema, table.name]);
  const { referenced, trigger, publication, rule, heir } = rows[0] ?? {};
  if (referenced)
    return `The table ${referenced} references these rows by a foreign key, so a delete would fail or take its rows along. Drop the constraint, or leave retention off.`;
  if (heir)
    return `The table ${heir} inherits from this one, so its rows may have the same keys, and a delete would take those along. Make it a partition, or leave retention off.`;
  if (trigger)
    return `The trigger ${trigger} runs on each delete, and what it does is not known here. Disable it, or leave retention off.`;
  if (publication)
    return `The publication ${publication} would send each delete to its subscribers. Alter it to publish inserts only: ALTER PUBLICATION ${publication} SET (publish = 'insert').`;
  return rule ? `The table has a rewrite rule, ${rule}: what a delete does is not known here.` : null;
}
