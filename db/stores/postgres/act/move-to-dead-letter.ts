import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { DeadLetterFacts } from "#db/stores/shared/act/dead-letter-facts.ts";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import { toText } from "../connection/dialect.ts";
import { deadLetter } from "../own-schema/schema.ts";
import { carriedFrom, insertSelect } from "../tables/insert-select.ts";
import { keyMatch, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { summaryOfRow } from "../tables/row-image.ts";

interface MoveInput {
  outbox: SQL;
  by: SQL;
  /** A JSON array of DeadLetterFacts. */
  facts: SQL;
  /** For `keyMatch`. */
  keys: readonly SQL[];
}

/**
 * Moves rows into outbox_console.dead_letter in one statement, so the image is exactly the row version deleted. Returns
 * message_id, one row per moved message.
 */
export function moveToDeadLetter(mapping: OutboxMapping, { outbox, by, facts, keys }: MoveInput): SQL {
  const source = outboxTable(mapping);
  const names = getTableColumns(deadLetter);
  const taken = { messageId: messageId(source), ...summaryOfRow(mapping) };
  const roles = Object.keys(taken) as (keyof typeof taken)[];
  const returned = roles.map((key) => sql`${taken[key]} AS ${sql.identifier(names[key].name)}`);
  const carried = carriedFrom(deadLetter, roles, "gone");
  const fact = (name: keyof DeadLetterFacts) => sql`f.${sql.identifier(name)}`;
  return sql`WITH gone AS (
      DELETE FROM ${source.table} ${source.rows} WHERE ${keyMatch(source, keys)} RETURNING ${listOf(returned)})
    ${insertSelect(
      deadLetter,
      {
        outbox,
        deadBy: by,
        ...carried,
        attempts: sql`coalesce(${fact("attempts")}, 0)`,
        firstErrorCode: fact("firstErrorCode"),
        firstError: fact("firstError"),
        firstFailedAt: fact("firstFailedAt"),
        lastErrorCode: fact("lastErrorCode"),
        lastError: fact("lastError"),
        lastFailedAt: fact("lastFailedAt"),
        fingerprint: fact("fingerprint"),
      },
      sql`FROM gone LEFT JOIN json_to_recordset(${facts}::json) AS f("messageId" text, attempts int, "firstErrorCode" text, "firstError" text, "firstFailedAt" timestamptz,
      "lastErrorCode" text, "lastError" text, "lastFailedAt" timestamptz, fingerprint text) ON f."messageId" = gone.message_id`,
    )}
    RETURNING message_id`;
}

/** The same statement as text. Parameters: $1 outbox, $2 who, $3 facts, $4.. key arrays of `keyParameters`. */
export function deadLetterStatement(mapping: OutboxMapping): string {
  const keys = mapping.primaryKey.map((_, index) => sql.raw(`$${4 + index}`));
  return toText(moveToDeadLetter(mapping, { outbox: sql.raw("$1"), by: sql.raw("$2"), facts: sql.raw("$3"), keys }));
}
