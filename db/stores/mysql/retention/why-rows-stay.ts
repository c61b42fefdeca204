import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { RetentionRule } from "#db/stores/port/retention.ts";
import { ageColumn } from "#db/stores/shared/retention/age-column.ts";
import { whyNotByMapping } from "#db/stores/shared/retention/why-not-by-mapping.ts";
import { REFERENCED, readHindrances, whyRowsCannotMove } from "../catalog/can-move-rows.ts";
import type { Session } from "../connection/session.ts";
import { readEngine } from "../tables/require-transactions.ts";
import { chooseWalk, indexSql } from "./choose-walk.ts";

/** Sentence: why no row of the table may be removed, and what to answer; null if they may. */
export async function whyRowsStay(session: Session, ref: OutboxRef, rule: RetentionRule): Promise<string | null> {
  const byMapping = whyNotByMapping(ref);
  if (byMapping !== null) return byMapping;
  const age = ageColumn(ref.mapping);
  if (!age)
    return "No column says when a row was published or created, so none is known to be old. Map createdAt or publishedAt.";
  const { table } = ref.mapping;
  const engine = await readEngine(session, table);
  if (engine !== null && engine !== "InnoDB")
    return `The table uses the engine ${engine}, which has no transactions: an interrupted batch could lose rows. Change it to InnoDB.`;
  const clause = await (rule.how === "archive"
    ? whyRowsCannotMove(session, table)
    : whyRowsCannotGo(session, ref.mapping));
  if (clause !== null) return `Rows cannot leave this table: ${clause}.`;
  if (await chooseWalk(session, ref, age)) return null;
  return `No index leads to the oldest rows of this table, so each look for them would read all of it. Create one as the table's owner: ${indexSql(ref, age)}`;
}

/**
 * Clause: why deleting rows may have effects elsewhere; null if it has none. A trigger on insert does not matter here.
 */
export async function whyRowsCannotGo(
  session: Session,
  { table }: Pick<OutboxMapping, "table">,
): Promise<string | null> {
  const { referenced, triggers, dated } = await readHindrances(session, table);
  if (referenced) return REFERENCED;
  if (triggers.includes("DELETE")) return "a trigger runs on each delete, and what it does is not known here";
  return dated ? "the server keeps deleted rows as their history, so that no space would become free" : null;
}
