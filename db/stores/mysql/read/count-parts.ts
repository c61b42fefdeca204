import { type SQL, sql } from "drizzle-orm";
import type { CountFigure } from "#db/stores/port/outbox-figures.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { COUNT_CAP } from "#db/stores/shared/read/count-cap.ts";
import { exact, figureOf, UNKNOWN_COUNT } from "#db/stores/shared/read/count-figure.ts";
import { NEVER } from "#db/stores/shared/states/conditions.ts";
import type { TablePart } from "#db/stores/shared/tables/table-part.ts";
import { toText } from "../connection/dialect.ts";
import type { Session } from "../connection/session.ts";
import { deliveryOrder, READ_BUDGET, type Reading, readingOf } from "../plans/table-access.ts";
import { asNumber } from "../tables/column-values.ts";
import { anyPiece, partWhere } from "../tables/index-pieces.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { claimedWith, selectFrom } from "../tables/states/message-state.ts";
import { entriesOf, entryKeys, entryOrder, rowsByKeys, searchesOf } from "./read-entries.ts";

const ZERO = exact(0);

export interface CountQuestion {
  /** Part of the table that contains the wanted rows. */
  part: TablePart;
  /** Condition of the wanted rows over row `t`; may refer to `claimed`. */
  where: SQL;
}

/** One read of an index, and the counts it answers. */
interface Pass {
  reading: Reading;
  predicate: SQL;
  most: number | null;
  names: string[];
}

/**
 * Bounded counts of a large table. With an index of just the wanted rows: exact up to the cap. With a wider index: one
 * pass over its newest entries, so the count is "at least". Unknown if only a scan could answer.
 */
export async function countParts<Name extends string>(
  session: Session,
  ref: OutboxRef,
  questions: Record<Name, CountQuestion>,
): Promise<Record<Name, CountFigure>> {
  const figures = {} as Record<Name, CountFigure>;
  const passes = new Map<string, Pass>();
  for (const name of Object.keys(questions) as Name[]) {
    const { part, where } = questions[name];
    figures[name] = where === NEVER ? ZERO : UNKNOWN_COUNT;
    if (figures[name] === ZERO) continue;
    const pass = passOf(await readingOf(session, ref, part, { use: "count" }), ref, part);
    if (!pass) continue;
    const key = `${pass.most}:${toText(pass.predicate)}`;
    const known = passes.get(key) ?? pass;
    known.names.push(name);
    passes.set(key, known);
  }
  for (const pass of passes.values()) Object.assign(figures, await runPass(session, ref, pass, questions));
  return figures;
}

function passOf(reading: Reading, ref: OutboxRef, part: TablePart): Pass | null {
  if (reading.kind === "none") return null;
  if (reading.kind === "whole")
    return { reading, predicate: partWhere(outboxTable(ref.mapping), part), most: null, names: [] };
  const { pieces, exact } = reading.access;
  return { reading, predicate: anyPiece(pieces), most: exact ? COUNT_CAP : READ_BUDGET, names: [] };
}

async function runPass(
  session: Session,
  ref: OutboxRef,
  pass: Pass,
  questions: Record<string, CountQuestion>,
): Promise<Record<string, CountFigure>> {
  const { names, most } = pass;
  const [row] = await passQuery(session, ref, pass, questions);
  const all = most === null || (row?.looked ?? 0) <= most;
  return Object.fromEntries(
    names.map((name) => [name, figureOf(row?.[name] ?? 0, all, most ?? Number.POSITIVE_INFINITY)]),
  );
}

function passQuery(session: Session, ref: OutboxRef, pass: Pass, questions: Record<string, CountQuestion>) {
  const every = toText(pass.predicate);
  const isEvery = (where: SQL) => toText(where) === every;
  // A condition equal to the pass's own is left out: if all are, the index alone answers.
  const countOf = (where: SQL) => (isEvery(where) ? sql`COUNT(*)` : sql`COUNT(CASE WHEN ${where} THEN 1 END)`);
  const wheres = pass.names.map((name) => [name, questions[name]?.where ?? NEVER] as const);
  const counts = Object.fromEntries(wheres.map(([name, where]) => [name, asNumber(countOf(where))]));
  const rowsNeeded = wheres.some(([, where]) => !isEvery(where));
  const fields = { ...counts, looked: asNumber(sql`COUNT(*)`) } as Record<string, SQL<number>>;
  const ctes = rowsNeeded ? claimedWith(session.own, ref) : [];
  const query = selectFrom(session, ctes, fields, sourceOf(ref, pass, rowsNeeded));
  return pass.most === null ? query.where(pass.predicate) : query;
}

/** Rows `t`, or only their keys. */
function sourceOf(ref: OutboxRef, { reading, most }: Pass, rowsNeeded: boolean): SQL {
  if (reading.kind !== "index" || most === null) return entriesOf(ref, reading);
  // From a wider index, reads the newest entries: waiting rows are mostly younger than dead ones.
  const order = reading.access.exact ? null : entryOrder(reading, deliveryOrder(ref));
  const keys = entryKeys(ref, searchesOf(reading), { order, budget: most + 1 });
  return rowsNeeded ? rowsByKeys(ref, keys) : sql`(${keys}) k`;
}
