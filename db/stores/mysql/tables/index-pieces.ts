import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn, PendingWord, StatusMark } from "#db/stores/port/mapping.ts";
import { valuedColumns } from "#db/stores/port/table-rules.ts";
import { ALWAYS, all, grouped, inlined, NEVER, not } from "#db/stores/shared/states/conditions.ts";
import {
  dead,
  failed,
  notPublished,
  published,
  type StatedRow,
  told,
  unknown,
  waiting,
} from "#db/stores/shared/states/state-predicates.ts";
import type { TablePart } from "#db/stores/shared/tables/table-part.ts";
import { attemptsValue } from "./column-values.ts";
import { statusIn } from "./states/status-words.ts";

/** A condition that one search of an index can answer: it names one value, or a range, of each of its columns. */
export interface Piece {
  where: SQL;
  columns: readonly { name: string; one: boolean }[];
}

/** Conditions that together hold the rows of a part, and each row once. */
export type Pieces = readonly Piece[];

/**
 * Possible searches for the rows of a part, narrowest first; each covers every row of the part. A list of words is one
 * search per word, because the entries of several words are not in the order of a second column.
 */
export function partPieces(outbox: StatedRow, part: TablePart): Pieces[] {
  if (partWhere(outbox, part) === NEVER) return [NOTHING];
  const found = piecesOf(outbox, part).filter((pieces) => pieces.length > 0);
  return found.length > 0 ? found : [EVERY];
}

/** All rows of the table, and none. */
export const EVERY: Pieces = [{ where: ALWAYS, columns: [] }];
const NOTHING: Pieces = [{ where: NEVER, columns: [] }];

function piecesOf(outbox: StatedRow, part: TablePart): Pieces[] {
  const { lifecycle } = outbox.mapping;
  if (lifecycle.kind === "rules") return ruledPieces(outbox, part);
  if (lifecycle.kind === "log" && lifecycle.native) return loggedPieces(told(outbox, lifecycle.native), part);
  switch (part) {
    case "waiting":
      return [waitingPieces(outbox), openPieces(outbox)];
    case "failed":
      return [failedPieces(outbox), waitingPieces(outbox), openPieces(outbox)];
    case "dead":
      return [deadPieces(outbox), unpublishedPieces(outbox)];
    case "unknown":
      return [unknownPieces(outbox)];
    case "unpublished":
      return [unpublishedPieces(outbox)];
    case "published":
      return [publishedPieces(outbox)];
    case "all":
      return [EVERY];
  }
}

/** Pieces of a table whose rows our relay does not mark, by the columns that other programs mark. */
function loggedPieces(native: StatedRow, part: TablePart): Pieces[] {
  if (part === "published") return [publishedPieces(native)];
  return part === "unknown" && unknown(native) === NEVER ? [unpublishedPieces(native)] : [EVERY];
}

/** Each condition of a library needs an index that begins with the columns whose values it names. */
function ruledPieces(outbox: StatedRow, part: TablePart): Pieces[] {
  const { lifecycle } = outbox.mapping;
  const state = part === "failed" ? "waiting" : part;
  if (lifecycle.kind !== "rules" || (state !== "waiting" && state !== "dead" && state !== "published")) return [];
  const rule = lifecycle.states[state];
  const where = { waiting, dead, published }[state](outbox);
  return rule ? [[{ where, columns: valuedColumns(rule).map(({ name }) => ({ name, one: true })) }]] : [];
}

/** Rows that are waiting by the lifecycle's column, with any number of attempts. */
function openPieces(outbox: StatedRow): Pieces {
  const { lifecycle } = outbox.mapping;
  if (lifecycle.kind !== "status") return unpublishedPieces(outbox);
  const { pending, inFlight, failed } = lifecycle;
  return wordPieces(outbox, lifecycle.column, [...pending, ...inFlight, ...failed]);
}

/** The same without those that are dead by their attempts. */
function waitingPieces(outbox: StatedRow): Pieces {
  const { deadAttempts } = outbox.mapping;
  return deadAttempts === null ? openPieces(outbox) : withAttempts(outbox, openPieces(outbox), { below: deadAttempts });
}

function failedPieces(outbox: StatedRow): Pieces {
  const { lifecycle, columns, deadAttempts } = outbox.mapping;
  const below = deadAttempts ?? undefined;
  const byCount = (pieces: Pieces) =>
    columns.attempts ? withAttempts(outbox, pieces, { from: 1, ...(below === undefined ? {} : { below }) }) : [];
  if (lifecycle.kind !== "status") return byCount(openPieces(outbox));
  const words = wordPieces(outbox, lifecycle.column, lifecycle.failed);
  const others = wordPieces(outbox, lifecycle.column, [...lifecycle.pending, ...lifecycle.inFlight]);
  const beside = hasMark(outbox, ["failed"]);
  const marked = beside ? both(others, { where: grouped(failed(outbox)), columns: [] }) : byCount(others);
  return [...(below === undefined ? words : withAttempts(outbox, words, { below })), ...marked];
}

/** Of a status, the words for dead, and every other known word that is not published with too many attempts. */
function deadPieces(outbox: StatedRow): Pieces {
  const { lifecycle, deadAttempts, attemptsLimit } = outbox.mapping;
  const given = { where: grouped(dead(outbox)), columns: [] };
  const byCount = (pieces: Pieces) =>
    deadAttempts === null || !outbox.mapping.columns.attempts
      ? []
      : [
          // Most dead rows have exactly this count: a separate search returns them in the order of a further column.
          ...withAttempts(outbox, pieces, { exactly: deadAttempts }),
          ...withAttempts(outbox, pieces, { from: deadAttempts + 1 }),
        ];
  if (lifecycle.kind !== "status") return attemptsLimit ? both(openPieces(outbox), given) : byCount(openPieces(outbox));
  const { pending, inFlight, failed, expired, dead: over } = lifecycle;
  const others = [...pending, ...inFlight, ...failed, ...expired];
  const beside = hasMark(outbox, ["dead"]);
  const unsent = wordPieces(outbox, lifecycle.column, others);
  return [
    ...wordPieces(outbox, lifecycle.column, over),
    ...(beside || attemptsLimit ? both(unsent, given) : byCount(unsent)),
  ];
}

function unpublishedPieces(outbox: StatedRow): Pieces {
  const { lifecycle } = outbox.mapping;
  const where = notPublished(outbox);
  if (where === ALWAYS || where === NEVER) return [];
  const isSearched = "column" in lifecycle && !hasMark(outbox, ["doubted"]);
  const columns = isSearched ? [{ name: lifecycle.column.name, one: lifecycle.kind !== "status" }] : [];
  return [{ where, columns }];
}

function publishedPieces(outbox: StatedRow): Pieces {
  const { lifecycle } = outbox.mapping;
  const where = published(outbox);
  if (where === NEVER || !("column" in lifecycle)) return [];
  if (lifecycle.kind === "status") {
    const sent = wordPieces(outbox, lifecycle.column, lifecycle.published);
    return hasMark(outbox, ["doubted"]) ? both(sent, { where: grouped(where), columns: [] }) : sent;
  }
  return [{ where, columns: [{ name: lifecycle.column.name, one: false }] }];
}

/** True if a column other than the status can put a row into one of these states. */
function hasMark({ mapping: { lifecycle } }: StatedRow, kinds: readonly StatusMark["kind"][]): boolean {
  return lifecycle.kind === "status" && (lifecycle.marks ?? []).some(({ kind }) => kinds.includes(kind));
}

function unknownPieces(outbox: StatedRow): Pieces {
  const { lifecycle, columns } = outbox.mapping;
  const where = unknown(outbox);
  if (where === NEVER || where === ALWAYS || !("column" in lifecycle)) return [];
  const leftOver = columns.availableAt?.nullIsOver === true && columns.attempts !== undefined;
  // A row that was withdrawn or left over keeps the status word of another state, so no range of the status finds it.
  if (lifecycle.kind === "status" && (leftOver || hasMark(outbox, ["withdrawn", "doubted"])))
    return [{ where, columns: [] }];
  const one = lifecycle.kind === "timestamp" || (lifecycle.kind === "flag" && !leftOver);
  return [{ where, columns: [{ name: lifecycle.column.name, one }] }];
}

/** One piece per word. Words that a collation may take for the same have each row in the first of their pieces. */
function wordPieces(outbox: StatedRow, status: MappedColumn, words: readonly PendingWord[]): Pieces {
  const different = [...new Set(words)];
  return different.flatMap((word, index) => {
    const where = statusIn(outbox, status, [word]);
    if (where === NEVER) return [];
    const alike = different.slice(0, index).filter((earlier) => folded(earlier) === folded(word));
    const others = alike.map((earlier) => not(statusIn(outbox, status, [earlier])));
    return [{ where: all(where, ...others), columns: [{ name: status.name, one: true }] }];
  });
}

const folded = (word: PendingWord) => word?.normalize("NFKD").replace(/\p{M}/gu, "").trimEnd().toLowerCase();

interface Attempts {
  exactly?: number;
  from?: number;
  below?: number;
}

function withAttempts(outbox: StatedRow, pieces: Pieces, { exactly, from, below }: Attempts): Pieces {
  const { attempts } = outbox.mapping.columns;
  if (!attempts) return pieces;
  const value = attemptsValue(outbox, attempts);
  const where = all(
    exactly === undefined ? ALWAYS : sql`${value} = ${inlined(exactly)}`,
    from === undefined ? ALWAYS : sql`${value} >= ${inlined(from)}`,
    below === undefined ? ALWAYS : sql`${value} < ${inlined(below)}`,
  );
  return both(pieces, { where, columns: [{ name: attempts.name, one: exactly !== undefined }] });
}

/** Each piece with a further condition. */
export function both(pieces: Pieces, other: Piece): Pieces {
  return pieces.map(({ where, columns }) => ({
    where: all(where, other.where),
    columns: [...columns, ...other.columns.filter(({ name }) => columns.every((column) => column.name !== name))],
  }));
}

/** Rows of any piece. */
export function anyPiece(pieces: Pieces): SQL {
  const [only] = pieces;
  if (pieces.length === 1 && only) return only.where;
  return sql`(${sql.join(
    pieces.map(({ where }) => sql`(${where})`),
    sql` OR `,
  )})`;
}

/** The part as one condition over the table, of which a scan takes the rows. */
export function partWhere(outbox: StatedRow, part: TablePart): SQL {
  switch (part) {
    case "waiting":
    case "failed":
      return waiting(outbox);
    case "dead":
    case "unpublished":
      return notPublished(outbox);
    case "unknown":
      return unknown(outbox);
    case "published":
      return published(outbox);
    case "all":
      return ALWAYS;
  }
}
