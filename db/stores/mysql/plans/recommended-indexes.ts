import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { IndexAdvice, IndexUse } from "#db/stores/port/index-advice.ts";
import type { MappedColumn, OutboxMapping, TableName } from "#db/stores/port/mapping.ts";
import { valuedColumns } from "#db/stores/port/table-rules.ts";
import { NEVER } from "#db/stores/shared/states/conditions.ts";
import { dead, failed, waiting } from "#db/stores/shared/states/state-predicates.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { toText } from "../connection/dialect.ts";
import { kindOf } from "../tables/column-kinds.ts";
import { outboxTable, tableNamed } from "../tables/outbox-table.ts";

export interface RecommendedIndex extends IndexAdvice {
  use: IndexUse;
  columns: readonly MappedColumn[];
}

/**
 * Every index that the console's and the relay's statements expect, existing or not. MySQL has no partial indexes, so
 * those for a state lead with the state's column; one index may serve several uses. Nothing for a column that
 * cannot be indexed.
 */
export function recommendedIndexes(mapping: OutboxMapping): RecommendedIndex[] {
  const { createdAt, aggregateId } = mapping.columns;
  const make = (use: IndexUse, purpose: string, columns: readonly MappedColumn[]): RecommendedIndex[] => {
    const created = columns.length > 0 ? createIndex(mapping, columns) : null;
    return created === null ? [] : [{ use, purpose, sql: created, columns }];
  };
  return [
    ...make("waiting", "Finding waiting messages at any table size", waitingColumns(mapping)),
    ...make("failed", "Counting and listing failed messages, and grouping their errors", failedColumns(mapping)),
    ...make("dead", "Counting and listing dead messages, and grouping their errors", deadColumns(mapping)),
    ...make("history", "Listing published messages, newest first", createdAt ? newestFirst(mapping, createdAt) : []),
    ...make(
      "aggregate",
      "Finding the messages of one aggregate",
      aggregateId ? [aggregateId, ...(createdAt ? [createdAt] : [])] : [],
    ),
  ];
}

/** The state's column, then the order of deliveries; of a table whose rows all wait, the order alone. */
function waitingColumns(mapping: OutboxMapping): MappedColumn[] {
  const { lifecycle, primaryKey } = mapping;
  if (waiting(outboxTable(mapping)) === NEVER) return [];
  const order = orderColumn(mapping);
  if (lifecycle.kind === "rules") return [...valuedColumns(lifecycle.states.waiting), order];
  if (!("column" in lifecycle)) return order.name === primaryKey[0]?.name ? [] : [order];
  return [lifecycle.column, order];
}

function failedColumns(mapping: OutboxMapping): MappedColumn[] {
  if (failed(outboxTable(mapping)) === NEVER) return [];
  return attemptsColumns(mapping) ?? waitingColumns(mapping);
}

function deadColumns(mapping: OutboxMapping): MappedColumn[] {
  const { lifecycle } = mapping;
  if (dead(outboxTable(mapping)) === NEVER) return [];
  if (lifecycle.kind === "rules" && lifecycle.states.dead) return valuedColumns(lifecycle.states.dead);
  // If the status has words for dead rows, the number of attempts rarely decides.
  if (lifecycle.kind === "status" && lifecycle.dead.length > 0) return waitingColumns(mapping);
  return attemptsColumns(mapping) ?? waitingColumns(mapping);
}

/**
 * Null if no index can search the attempts: a nullable column is compared through an expression that counts null as 0.
 */
function attemptsColumns({ lifecycle, columns }: OutboxMapping): MappedColumn[] | null {
  const { attempts } = columns;
  if (!attempts || attempts.nullable) return null;
  return "column" in lifecycle ? [lifecycle.column, attempts] : [attempts];
}

/** The order of lists of messages that do not wait. An index is read from either end. */
function newestFirst({ primaryKey }: OutboxMapping, createdAt: MappedColumn): MappedColumn[] {
  return [createdAt, ...primaryKey.filter((column) => column.name !== createdAt.name)];
}

/** CREATE INDEX as SQL to run while the table is written to. Null if one of the columns cannot be indexed. */
export function createIndex({ table }: { table: TableName }, columns: readonly MappedColumn[]): string | null {
  const sizes = columns.map(({ type }) => bytesOf(type));
  const known = sizes.filter((bytes) => bytes !== null);
  if (known.length < columns.length) return null;
  const fits = known.reduce((sum, bytes) => sum + bytes, 0) <= MOST_KEY_BYTES;
  const parts = columns.map(({ name }, at) => {
    const cut = !fits && (known[at] ?? 0) > CUT * BYTES_PER_CHARACTER;
    return sql`${sql.identifier(name)}${sql.raw(cut ? `(${CUT})` : "")}`;
  });
  const name = sql.identifier(indexName(table.name, columns));
  return toText(
    sql`CREATE INDEX ${name} ON ${tableNamed(table)} (${sql.join(parts, sql`, `)}) ALGORITHM=INPLACE LOCK=NONE;`,
  );
}

/** Most bytes of one InnoDB key, less some for the lengths of its values. */
const MOST_KEY_BYTES = 3000;
const BYTES_PER_CHARACTER = 4;
/** Characters to index of a text that is too long. */
const CUT = 191;

/** Most bytes of a value in an index; null for a type without one. */
function bytesOf(type: string): number | null {
  const kind = kindOf(type);
  if (kind === "json" || kind === "other") return null;
  if (kind !== "text" && kind !== "bytes" && kind !== "uuid-bytes") return 16;
  const length = /^(?:var)?(?:char|binary)\((\d+)\)/.exec(type)?.[1];
  if (length === undefined) return Number.POSITIVE_INFINITY;
  return Number(length) * (kind === "text" ? BYTES_PER_CHARACTER : 1);
}

const LONGEST_NAME = 64;

/**
 * A name made of the table's and the columns' names; a hash distinguishes names that are too long or have other
 * characters.
 */
function indexName(table: string, columns: readonly MappedColumn[]): string {
  const words = [table, ...columns.map(({ name }) => name)];
  const plain = [...words, "idx"].join("_").toLowerCase();
  if (plain.length <= LONGEST_NAME && /^[a-z0-9_]+$/.test(plain)) return plain;
  const hash = createHash("sha256").update(JSON.stringify(words)).digest("hex").slice(0, 8);
  const readable = plain.replace(/[^a-z0-9_]+/g, "").slice(0, LONGEST_NAME - "_idx_".length - hash.length);
  return `${readable}_idx_${hash}`;
}
