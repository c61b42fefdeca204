import type { OutboxMapping, PendingWord } from "#db/stores/port/mapping.ts";
import { isPacked, keyColumns } from "#db/stores/port/message-id.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import {
  besideKeys,
  columnSql,
  keyInList,
  keyMatch,
  notPublishedPredicate,
  nowValue,
  quoteIdentifier,
  quoteLiteral,
  quoteTable,
} from "#db/stores/postgres/tables/mapping-sql.ts";
import { messageId, type RelayContext } from "../relay-context.ts";
import { commonPlace, isBelowSql, isVersion, lowXid } from "../row-version.ts";

/** A row to be marked; without a version, whichever has the key. */
export type Marked = Pick<OutgoingMessage, "id" | "version">;

/** How a mark distinguishes the claimed row from a later one of the same key; see RowVersion. */
type Told = "key" | "below" | "writer";

/** How it gets the keys: as an array for each column, or as a list, which takes the server 0.2 µs less a row. */
type Keys = "arrays" | "list";

/**
 * Marks messages as published with one UPDATE (or DELETE). Index: the primary key. The index scan visits and locks the
 * rows in key order. Race: another program that published the same row first, or put another row in its place; that row
 * is not changed and is missing from the result.
 */
function markStatement(mapping: OutboxMapping, mark: "column" | "delete", told: Told, keys: Keys): string {
  const { lifecycle, columns } = mapping;
  const table = `${quoteTable(mapping.table)} o`;
  const list = told === "writer" ? ` ${versionList(mapping)}` : "";
  const where = `WHERE ${matchOf(mapping, told, keys)} AND ${besideKeys(notPublishedPredicate(mapping, "o"))}`;
  const set = (column: { name: string }, value: string) => `${quoteIdentifier(column.name)} = ${value}`;
  const publishedAt = columns.publishedAt?.time ? [set(columns.publishedAt, nowValue(columns.publishedAt))] : [];
  const deletion = `DELETE FROM ${table}${list && ` USING${list}`} ${where} RETURNING ${messageId(mapping)}`;
  const update = (sets: string[]) => `UPDATE ${table} SET ${sets.join(", ")}${list && ` FROM${list}`} ${where}`;
  if (mark === "delete") return deletion;
  switch (lifecycle.kind) {
    case "timestamp":
      return update([set(lifecycle.column, nowValue(lifecycle.column))]);
    case "flag":
      return update([set(lifecycle.column, "true"), ...publishedAt]);
    case "status":
      return update([
        set(lifecycle.column, statusValue(lifecycle.column.type, lifecycle.published[0])),
        ...publishedAt,
      ]);
    case "delete":
      return deletion;
    case "log":
    case "rules":
    case "untold":
    case "unknown":
      throw new Error("A table without a state of its own cannot be marked.");
  }
}

/** With one version for all rows there is no join to one for each, which takes 2 µs a row. */
function matchOf(mapping: OutboxMapping, told: Told, keys: Keys): string {
  const { primaryKey } = mapping;
  const match = keys === "list" ? keyInList(mapping, "o") : keyMatch(mapping, "o", 1);
  if (told === "key") return match;
  if (told === "below") return `${match} AND ${isBelowSql("o.xmin", `$${primaryKey.length + 1}`)}`;
  const columns = primaryKey.map((column, index) => `${columnSql(column, "o")} = f.k${index}`);
  return `${columns.join(" AND ")} AND CASE WHEN f.below THEN age(o.xmin) > age(f.xid) ELSE o.xmin = f.xid END`;
}

function versionList({ primaryKey }: OutboxMapping): string {
  const arrays = primaryKey.map((column, index) => `$${index + 1}::text[]::${column.type}[]`);
  const next = primaryKey.length + 1;
  const names = primaryKey.map((_, index) => `k${index}`);
  return `unnest(${arrays.join(", ")}, $${next}::text[]::xid[], $${next + 1}::boolean[]) AS f(${names.join(", ")}, xid, below)`;
}

/** How the rows are compared, and the parameters after their keys. */
function versionsOf(rows: readonly Marked[]): { told: Told; parameters: string[] } {
  const versions = rows.map(({ version }) => version).filter(isVersion);
  if (versions.length < rows.length) return { told: "key", parameters: [] };
  const place = commonPlace(new Set(versions));
  if (place !== null) return { told: "below", parameters: [lowXid(place)] };
  const xids = versions.map(({ xid, below }) => (below === null ? xid : lowXid(below)));
  return {
    told: "writer",
    parameters: [textArray(xids), textArray(versions.map(({ below }) => String(below !== null)))],
  };
}

/** A status word, or null, as a value of the column's own type. */
export function statusValue(type: string, word: PendingWord | undefined): string {
  if (word === undefined) throw new Error("The mapping names no word for the status to be written.");
  return `${word === null ? "NULL" : quoteLiteral(word)}::${type}`;
}

/**
 * Marks the messages and returns those whose rows were marked: those of the given versions that were still unsent, and
 * that the database did not keep as they were.
 */
export async function markPublished<Row extends Marked>(
  session: RelaySession,
  mapping: OutboxMapping,
  rows: readonly Row[],
  mark: "column" | "delete" = "column",
): Promise<readonly Row[]> {
  const { told, parameters } = versionsOf(rows);
  const isList = told !== "writer" && mapping.primaryKey.length === 1 && !rows.some(({ id }) => isPacked(id));
  const keys = isList ? [rows.map(({ id }) => id).join(",")] : keysOf(mapping, rows);
  const statement = markStatement(mapping, mark, told, isList ? "list" : "arrays");
  const name = `mark-published-${told}${isList ? "-list" : ""}`;
  const marked = await session.query(name, statement, [...keys, ...parameters]);
  if (marked.rowCount === rows.length) return rows;
  const deletes = mark === "delete" || mapping.lifecycle.kind === "delete";
  const found = deletes ? marked : await session.query("mark-ours", oursStatement(mapping), keysOf(mapping, rows));
  const ours = new Set(found.rows.map(([id]) => id ?? ""));
  return rows.filter(({ id }) => ours.has(id));
}

/** Marks the current rows of the keys. Throws if the database silently leaves one unmarked. */
export async function markByKey(
  session: RelaySession,
  mapping: OutboxMapping,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = ids.map((id) => ({ id }));
  const marked = new Set((await markPublished(session, mapping, rows)).map(({ id }) => id));
  if (marked.size === ids.length) return marked;
  const left = await session.query("mark-left", leftStatement(mapping), keysOf(mapping, rows));
  if (left.rows.some(([id]) => !marked.has(id ?? ""))) throw new Error(MARK_IGNORED);
  return marked;
}

/** Between two checks. A row that loses its mark is sent again and again, so one of the checks soon covers it. */
const LOOK_MS = 1000;

/**
 * Throws if one of the rows that this transaction has marked is still unsent: a trigger may clear the mark, which the
 * UPDATE's count does not show. Checks the first marks, those of one settle a second, and all once a mark was lost: a
 * check takes 2 µs a row.
 */
export async function requireKept(
  { mapping, marks }: Pick<RelayContext, "mapping" | "marks">,
  session: RelaySession,
  rows: readonly Marked[],
): Promise<void> {
  const nowMs = performance.now();
  if (!marks.ignored && nowMs - marks.lookedAtMs < LOOK_MS) return;
  if (rows.length === 0) return;
  const left = await session.query("mark-left", leftStatement(mapping), keysOf(mapping, rows));
  marks.lookedAtMs = nowMs;
  if (left.rows.length === 0) return;
  marks.ignored = true;
  throw new Error(MARK_IGNORED);
}

function keysOf({ primaryKey }: OutboxMapping, rows: readonly Marked[]): string[] {
  const ids = rows.map(({ id }) => id);
  return keyColumns(ids, primaryKey.length).map(textArray);
}

/** In place of an outcome: the message would be claimed and sent again and again. */
export const MARK_IGNORED =
  "the database takes the mark without an error and leaves the row as it is: a trigger, a rule or row level security keeps it";

/** Rows that still wait unchanged. Runs after the mark, so that it sees other programs' commits. */
function leftStatement(mapping: OutboxMapping): string {
  return `SELECT ${messageId(mapping)} FROM ${quoteTable(mapping.table)} o WHERE ${keyMatch(mapping, "o", 1)}
    AND ${besideKeys(notPublishedPredicate(mapping, "o"))}`;
}

/** Rows that this transaction wrote. Queried only if the counts differ: returning every id costs 5 % of a drain. */
function oursStatement(mapping: OutboxMapping): string {
  return `SELECT ${messageId(mapping)} FROM ${quoteTable(mapping.table)} o WHERE ${keyMatch(mapping, "o", 1)}
    AND o.xmin = (pg_current_xact_id()::text::numeric % 4294967296)::bigint::text::xid`;
}
