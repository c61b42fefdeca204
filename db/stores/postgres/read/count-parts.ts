import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { withIndexesOnly } from "../plans/find-access.ts";
import { partBases, READ_BUDGET, type Reading, readingOf, type TablePart } from "../plans/table-access.ts";
import { columnSql, orderColumn, quoteTable } from "../tables/mapping-sql.ts";
import { claimsCte } from "../tables/message-sql.ts";
import { COUNT_CAP, type CountFigure } from "./count-figure.ts";

export interface CountQuestion {
  /** Rows among which the wanted ones are. */
  part: TablePart;
  /** The wanted ones, over row `t`; may name `claimed`. */
  where: string;
}

const ZERO: CountFigure = { value: 0, precision: "exact" };
const UNKNOWN: CountFigure = { value: 0, precision: "unknown" };

/** Entries that are read of one index together, and the questions that they answer. */
interface Pass {
  predicate: string;
  most: number | null;
  /** What waits is mostly younger than what was given up on, and stands at the end of a wider index. */
  order: string;
  names: string[];
}

/**
 * Counts of a large table, bounded: up to the cap by an index that holds just what is wanted; in one pass over the newest
 * entries of a wider index, where what is found is "at least"; unknown where only a scan could tell.
 */
export async function countParts<Name extends string>(
  client: PoolClient,
  ref: OutboxRef,
  questions: Record<Name, CountQuestion>,
): Promise<Record<Name, CountFigure>> {
  const figures = {} as Record<Name, CountFigure>;
  const passes = new Map<string, Pass>();
  for (const name of Object.keys(questions) as Name[]) {
    const { part, where } = questions[name];
    figures[name] = where === "false" || where.endsWith(" AND false") ? ZERO : UNKNOWN;
    if (figures[name] === ZERO) continue;
    const pass = passOf(await readingOf(client, ref, part), ref, part);
    if (!pass) continue;
    const key = `${pass.most}:${pass.predicate}`;
    const known = passes.get(key) ?? pass;
    known.names.push(name);
    passes.set(key, known);
  }
  for (const pass of passes.values()) Object.assign(figures, await runPass(client, ref, pass, questions));
  return figures;
}

function passOf(reading: Reading, ref: OutboxRef, part: TablePart): Pass | null {
  if (reading.kind === "none") return null;
  if (reading.kind === "whole")
    return { predicate: partBases(ref, part).at(-1) ?? "true", most: null, order: "", names: [] };
  const { predicate, exact, ordered } = reading.access;
  if (exact) return { predicate, most: COUNT_CAP, order: "", names: [] };
  const order = ordered ? `ORDER BY ${columnSql(orderColumn(ref.mapping), "t")} DESC` : "";
  return { predicate, most: READ_BUDGET, order, names: [] };
}

async function runPass(
  client: PoolClient,
  ref: OutboxRef,
  pass: Pass,
  questions: Record<string, CountQuestion>,
): Promise<Record<string, CountFigure>> {
  const { predicate, most, order, names } = pass;
  // What every entry is needs no look at its row: the index alone answers.
  const countOf = (where: string | undefined) =>
    where === predicate ? "count(*)::int" : `count(*) FILTER (WHERE ${where})::int`;
  const counts = names.map((name, index) => `${countOf(questions[name]?.where)} AS c${index}`);
  const limit = most === null ? "" : `LIMIT ${most + 1}`;
  const sql = `WITH ${claimsCte(ref)} SELECT count(*)::int AS looked, ${counts.join(", ")}
    FROM (SELECT t.* FROM ${quoteTable(ref.mapping.table)} t WHERE ${predicate} ${order} ${limit}) t`;
  const query = async () => (await client.query<Record<string, number>>(sql, [ref.name])).rows[0] ?? {};
  const row = await (most === null ? query() : withIndexesOnly(client, query));
  const all = most === null || (row.looked ?? 0) <= most;
  return Object.fromEntries(
    names.map((name, index) => [name, figureOf(row[`c${index}`] ?? 0, all, most ?? Number.POSITIVE_INFINITY)]),
  );
}

/** "At least none" is not known. */
function figureOf(found: number, all: boolean, most: number): CountFigure {
  if (all) return { value: found, precision: "exact" };
  return found === 0 ? UNKNOWN : { value: Math.min(found, most), precision: "capped" };
}
