import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { RetentionRule } from "#db/stores/port/retention.ts";
import type { AgeColumn } from "#db/stores/shared/retention/age-column.ts";
import { PINS } from "#db/stores/shared/retention/retention-words.ts";
import { all, inlined, isNotTrue } from "#db/stores/shared/states/conditions.ts";
import { dead, published, unknown } from "#db/stores/shared/states/state-predicates.ts";
import { archive, claim, operation, operationItem, pause, restored, suspect } from "../own-schema/schema.ts";
import { encodeInstant } from "../tables/column-values.ts";
import { messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/**
 * `now()` and not the wall clock: an index serves only comparisons with a value that is stable during the statement.
 */
export function boundOf(keepSeconds: number): SQL {
  return sql`now() - make_interval(secs => ${inlined(keepSeconds)})`;
}

/** The column's value is from before the bound. */
export function isOlder(mapping: OutboxMapping, column: MappedColumn, keepSeconds: number): SQL {
  return sql`${outboxTable(mapping).column(column)} < ${encodeInstant(column, boundOf(keepSeconds))}`;
}

/** Row `t` is in state published only, and older than the rule's bound. */
export function isRemovable({ mapping }: OutboxRef, { keepSeconds }: RetentionRule, age: AgeColumn): SQL {
  const outbox = outboxTable(mapping);
  return all(
    published(outbox),
    isNotTrue(dead(outbox)),
    isNotTrue(unknown(outbox)),
    isOlder(mapping, age.column, keepSeconds),
  );
}

/**
 * Clause: what still needs row `t`; null if nothing does. `behind`: age of the oldest transaction that the relay's slot
 * has yet to pass, null without a slot.
 */
export function pinOf(ref: OutboxRef, rule: RetentionRule, behind: number | null): SQL<string | null> {
  const { rows } = outboxTable(ref.mapping);
  const id = messageId(outboxTable(ref.mapping));
  const beside = (table: typeof restored | typeof suspect | typeof pause | typeof archive) =>
    sql`EXISTS (SELECT FROM ${table} WHERE ${table.outbox} = ${ref.name} AND ${table.messageId} = ${id})`;
  const targets = sql`SELECT target ->> 'id' FROM ${operation}, json_array_elements(${operation.result} -> 'outcomes') target
    WHERE ${operation.outbox} = ${ref.name} AND ${operation.at} > now() - interval '30 days' AND ${operation.result} ->> 'finished' = 'false'`;
  const items = sql`EXISTS (SELECT FROM ${operationItem} JOIN ${operation} ON ${operation.id} = ${operationItem.operationId}
    WHERE ${operationItem.messageId} = ${id} AND ${operation.outbox} = ${ref.name} AND ${operation.state} IS NOT NULL AND ${operation.endedAt} IS NULL)`;
  return sql<string | null>`CASE
    WHEN ${id} IN (SELECT unnest(${claim.messageIds}) FROM ${claim} WHERE ${claim.outbox} = ${ref.name}) THEN ${PINS.claim}
    WHEN ${beside(suspect)} THEN ${PINS.suspect}
    WHEN ${beside(pause)} THEN ${PINS.pause}
    WHEN ${beside(restored)} THEN ${PINS.restored}
    WHEN ${id} IN (${targets}) OR ${items} THEN ${PINS.operation}
    WHEN ${rule.how === "archive" ? beside(archive) : sql`false`} THEN ${PINS.archive}
    WHEN ${behind === null ? sql`false` : sql`age(${rows}.xmin) <= ${behind}`} THEN ${PINS.reader}
  END`;
}
