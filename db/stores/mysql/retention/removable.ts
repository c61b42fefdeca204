import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { RetentionRule } from "#db/stores/port/retention.ts";
import type { AgeColumn } from "#db/stores/shared/retention/age-column.ts";
import { all, inlined, isNotTrue } from "#db/stores/shared/states/conditions.ts";
import { dead, published, unknown } from "#db/stores/shared/states/state-predicates.ts";
import { encodeInstant, NOW } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";

export function boundOf(keepSeconds: number): SQL {
  return sql`(${NOW} - INTERVAL ${inlined(Math.floor(keepSeconds))} SECOND)`;
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
