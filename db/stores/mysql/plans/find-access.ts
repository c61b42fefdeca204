import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { ALWAYS, NEVER } from "#db/stores/shared/states/conditions.ts";
import type { Session } from "../connection/session.ts";
import { EVERY, type Piece, type Pieces } from "../tables/index-pieces.ts";
import type { ForeignTable } from "../tables/outbox-table.ts";
import { scansOf, sorts } from "./plan-scans.ts";
import { explain } from "./query-cost.ts";
import type { TableIndex } from "./table-indexes.ts";

/** How to find rows of a large table without reading the rest of it. */
export interface Access {
  /** The index that statements name in a hint. */
  index: string;
  /** Its searches. Exactly one of them covers each wanted row. */
  pieces: Pieces;
  /** The entries are exactly the wanted rows. */
  exact: boolean;
  /**
   * The entries of each piece come in the requested order; those of a small piece, if there are others, may need a
   * sort.
   */
  ordered: boolean;
  /** The server's estimate of the number of entries. */
  rows: number;
}

/** Columns that rows are sorted by, all in one direction. */
export interface Order {
  columns: readonly MappedColumn[];
  descending: boolean;
}

export interface AccessQuery {
  /** Possible searches, narrowest first; each covers every wanted row. */
  bases: readonly Pieces[];
  order: Order;
  /** Most rows of the table are wanted, so a walk along an index in their order is also good. */
  walk?: boolean;
  /** Result of `tableIndexes`. */
  indexes: readonly TableIndex[];
  /** Estimated rows of the table. */
  tableRows: number;
}

/**
 * Every way in which an index finds the wanted rows, by the server's plan: an index that fits by the catalog may still
 * be unusable because of its collation or type. Reads only plans.
 */
export async function findAccesses(session: Session, table: ForeignTable, query: AccessQuery): Promise<Access[]> {
  const found: Access[] = [];
  for (const [position, pieces] of query.bases.entries()) {
    if (pieces.some(({ where }) => where === ALWAYS || where === NEVER)) continue;
    for (const index of query.indexes) {
      const access = await accessBy(session, table, { query, pieces, index });
      if (access) found.push({ ...access, exact: position === 0 });
    }
  }
  const walk = query.walk || query.bases.includes(EVERY) ? await walkAccess(session, table, query) : null;
  return walk ? [...found, { ...walk, exact: query.bases[0] === EVERY }] : found;
}

/** Most entries to sort. With more, an index in the right order is better than one with only the wanted entries. */
const SORTABLE = 10_000;

/**
 * The best access for a list: in order, or with so few entries that they can be sorted; then the narrowest. Null if
 * there is none.
 */
export function bestForList(found: readonly Access[]): Access | null {
  const usable = found.filter(({ ordered, rows }) => ordered || rows <= SORTABLE);
  const rank = ({ exact, ordered }: Access) => (exact ? 0 : 2) + (ordered ? 0 : 1);
  const sorted = [...(usable.length > 0 ? usable : found)].sort(
    (one, other) => rank(one) - rank(other) || one.rows - other.rows,
  );
  return sorted[0] ?? null;
}

/** The best for a count: with the wanted entries alone, then the narrowest. */
export function bestForCount(found: readonly Access[]): Access | null {
  const sorted = [...found].sort(
    (one, other) =>
      Number(other.exact) - Number(one.exact) || Number(other.ordered) - Number(one.ordered) || one.rows - other.rows,
  );
  return sorted[0] ?? null;
}

interface Candidate {
  query: AccessQuery;
  pieces: Pieces;
  index: TableIndex;
}

async function accessBy(
  session: Session,
  table: ForeignTable,
  { query, pieces, index }: Candidate,
): Promise<Access | null> {
  let rows = 0;
  /** Pieces by how their entries come into the order: by the index, or, because they are few, by a sort. */
  const inOrder: ("index" | "sort" | null)[] = [];
  for (const piece of pieces) {
    const rest = restOf(index, piece);
    if (rest === null) return null;
    const [scan] = scansOf(await explain(session, entriesFrom(table, index.name, piece.where)), "t");
    // A plan without a scan: the server knows that nothing can match.
    if (!scan) continue;
    const named = piece.columns.every(({ name }) => scan.searched.includes(name));
    if (scan.how !== "search" || scan.index !== index.name || !named) return null;
    rows += scan.rows;
    if (givesOrder(rest, query.order, piece) && !(await isSorted(session, table, { query, piece, index })))
      inOrder.push("index");
    else inOrder.push(scan.rows <= SORTABLE ? "sort" : null);
  }
  const ordered = !inOrder.includes(null) && (inOrder.length === 0 || inOrder.includes("index"));
  return { index: index.name, pieces, exact: false, ordered, rows };
}

/** True if the server would sort the entries. */
async function isSorted(
  session: Session,
  table: ForeignTable,
  { query, piece, index }: { query: AccessQuery; piece: Piece; index: TableIndex },
): Promise<boolean> {
  const order = orderBy(table, query.order);
  const entries = sql`${entriesFrom(table, index.name, piece.where)} ORDER BY ${order} LIMIT 100`;
  return sorts(await explain(session, entries));
}

/**
 * Columns of the index behind those that a piece searches; null if the index cannot answer the piece. A range must be
 * the last that is searched, and then nothing behind it gives an order.
 */
function restOf(index: TableIndex, { columns }: Piece): TableIndex["columns"] | null {
  const ones = columns.filter(({ one }) => one).map(({ name }) => name);
  const ranges = columns.filter(({ one }) => !one).map(({ name }) => name);
  const leading = index.columns.slice(0, ones.length);
  if (
    !leading.every(({ name }) => ones.includes(name)) ||
    new Set(leading.map(({ name }) => name)).size !== ones.length
  )
    return null;
  if (leading.some(({ cut }, at) => cut && at < columns.length - 1)) return null;
  const rest = index.columns.slice(ones.length);
  if (ranges.length === 0) return leading.some(({ cut }) => cut) ? [] : rest;
  return ranges.length === 1 && rest[0]?.name === ranges[0] ? (rest[0]?.cut ? [] : rest) : null;
}

/** True if the columns after the searched ones are those of the order, leaving out columns with a single value. */
function givesOrder(rest: TableIndex["columns"], order: Order, { columns }: Piece): boolean {
  const constant = new Set(columns.filter(({ one }) => one).map(({ name }) => name));
  const wanted = order.columns.filter(({ name }) => !constant.has(name));
  const direction = rest[0]?.descending ?? false;
  return wanted.every(({ name }, at) => {
    const part = rest[at];
    return part !== undefined && part.name === name && !part.cut && part.descending === direction;
  });
}

/** Walks the whole table in the order of an index; null if no index gives the order. */
async function walkAccess(session: Session, table: ForeignTable, query: AccessQuery): Promise<Access | null> {
  const every = { where: ALWAYS, columns: [] };
  for (const index of query.indexes) {
    if (!givesOrder(index.columns, query.order, every)) continue;
    if (await isSorted(session, table, { query, piece: every, index })) continue;
    return { index: index.name, pieces: EVERY, exact: false, ordered: true, rows: query.tableRows };
  }
  return null;
}

/** Selects every column: if the index alone could answer, the plan would not show whether it can be searched. */
function entriesFrom(table: ForeignTable, index: string, where: SQL): SQL {
  return sql`SELECT ${table.rows}.* FROM ${forcedRows(table, index)} WHERE ${where}`;
}

/** FROM item of the team's table that uses the index. */
export function forcedRows({ table, rows }: ForeignTable, index: string | null): SQL {
  return index === null ? sql`${table} ${rows}` : sql`${table} ${rows} FORCE INDEX (${sql.identifier(index)})`;
}

/** An ORDER BY list over the table's rows. */
export function orderBy(table: ForeignTable, { columns, descending }: Order): SQL {
  const list = columns.map((column) => sql`${table.column(column)}${sql.raw(descending ? " DESC" : "")}`);
  return sql.join(list, sql`, `);
}
