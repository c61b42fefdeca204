import { type SQL, sql } from "drizzle-orm";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { DeadLetterFacts } from "#db/stores/shared/act/dead-letter-facts.ts";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import { datetimeOf } from "../connection/instant.ts";
import type { Session } from "../connection/session.ts";
import { exact, NOW } from "../tables/column-values.ts";
import { insertSelect } from "../tables/insert-select.ts";
import { keyMatch, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { readRowImage, summaryOfRow } from "../tables/row-image.ts";

interface MoveInput {
  outbox: string;
  by: string;
  facts: readonly DeadLetterFacts[];
  /** For `keyMatch`: one array of texts per key column. */
  keys: readonly (readonly string[])[];
}

/**
 * Moves rows into the dead letters: copies them with their images, then deletes them. The caller has locked the rows,
 * so the image is exactly the row version that is deleted. The number of rows. Throws if another row of the same id is
 * there already.
 */
export async function moveToDeadLetter(
  session: Session,
  mapping: OutboxMapping,
  { outbox, by, facts, keys }: MoveInput,
): Promise<number> {
  const source = outboxTable(mapping);
  const { table, rows } = source;
  const byKey = keyMatch(source, keys);
  const { image } = await readRowImage(session, mapping);
  const id = messageId(source);
  const fact = (name: keyof DeadLetterFacts) => sql`f.${sql.identifier(name)}`;
  const values = {
    outbox: sql`${outbox}`,
    messageId: id,
    ...summaryOfRow(mapping, image),
    deadAt: NOW,
    deadBy: sql`${by}`,
    attempts: sql`COALESCE(${fact("attempts")}, 0)`,
    firstErrorCode: fact("firstErrorCode"),
    firstError: fact("firstError"),
    firstFailedAt: fact("firstFailedAt"),
    lastErrorCode: fact("lastErrorCode"),
    lastError: fact("lastError"),
    lastFailedAt: fact("lastFailedAt"),
    fingerprint: fact("fingerprint"),
  };
  const from = sql`FROM ${table} ${rows} LEFT JOIN ${factRows(facts)} f ON ${exact(fact("messageId"))} = ${exact(id)} WHERE ${byKey}`;
  const { affectedRows: copied } = await session.run(insertSelect(session.own.deadLetter, values, from));
  const { affectedRows: deleted } = await session.run(sql`DELETE ${rows} FROM ${table} ${rows} WHERE ${byKey}`);
  if (copied !== deleted) throw new Error(`${copied} rows were copied to the dead letters and ${deleted} deleted.`);
  return deleted;
}

/** A subquery with one row for each message. */
function factRows(facts: readonly DeadLetterFacts[]): SQL {
  const given = facts.length > 0 ? facts : [NO_FACTS];
  const selects = given.map((one) => {
    const values = Object.entries(one).map(([name, value]) => {
      const text = name.endsWith("At") && typeof value === "string" ? datetimeOf(value) : value;
      return sql`${text} AS ${sql.identifier(name)}`;
    });
    return sql`SELECT ${listOf(values)}`;
  });
  return sql`(${sql.join(selects, sql` UNION ALL `)})`;
}

/** No message has the empty id. */
const NO_FACTS: DeadLetterFacts = {
  messageId: "",
  attempts: 0,
  firstErrorCode: null,
  firstError: null,
  firstFailedAt: null,
  lastErrorCode: null,
  lastError: null,
  lastFailedAt: null,
  fingerprint: null,
};
