import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { CountFigure } from "#db/stores/port/outbox-figures.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ALWAYS, NEVER } from "#db/stores/shared/conditions.ts";
import { toText } from "../connection/dialect.ts";
import { queryOn } from "../connection/query-on.ts";
import { withIndexesOnly } from "../plans/find-access.ts";
import { partBases, READ_BUDGET, type Reading, readingOf, type TablePart } from "../plans/table-access.ts";
import { orderColumn } from "../tables/message-key.ts";
import { claimedWith } from "../tables/message-state.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { COUNT_CAP } from "./count-cap.ts";

export interface CountQuestion {
  /** Part of the table that contains the wanted rows. */
  part: TablePart;
  /** Condition of the wanted rows over row `t`; may refer to `claimed`. */
  where: SQL;
}

const ZERO: CountFigure = { value: 0, precision: "exact" };
const UNKNOWN: CountFigure = { value: 0, precision: "unknown" };

/** One read of an index, and the counts it answers. */
interface Pass {
  predicate: SQL;
  most: number | null;
  /** Read from the new end of a wider index: waiting rows are mostly younger than dead ones. */
  newestFirst: boolean;
  names: string[];
}

/**
 * Bounded counts of a large table. With an index of just the wanted rows: exact up to the cap. With a wider index: one
 * pass over its newest entries, so the count is "at least". Unknown if only a scan could answer.
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
    figures[name] = where === NEVER ? ZERO : UNKNOWN;
    if (figures[name] === ZERO) continue;
    const pass = passOf(await readingOf(client, ref, part), ref, part);
    if (!pass) continue;
    const key = `${pass.most}:${toText(pass.predicate)}`;
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
    return { predicate: partBases(ref, part).at(-1) ?? ALWAYS, most: null, newestFirst: false, names: [] };
  const { predicate, exact, ordered } = reading.access;
  if (exact) return { predicate, most: COUNT_CAP, newestFirst: false, names: [] };
  return { predicate, most: READ_BUDGET, newestFirst: ordered, names: [] };
}

async function runPass(
  client: PoolClient,
  ref: OutboxRef,
  pass: Pass,
  questions: Record<string, CountQuestion>,
): Promise<Record<string, CountFigure>> {
  const { names, most } = pass;
  const query = passQuery(client, ref, pass, questions);
  const [row] = await (most === null ? query : withIndexesOnly(client, () => query));
  const all = most === null || (row?.looked ?? 0) <= most;
  return Object.fromEntries(
    names.map((name) => [name, figureOf(row?.[name] ?? 0, all, most ?? Number.POSITIVE_INFINITY)]),
  );
}

function passQuery(
  client: PoolClient,
  ref: OutboxRef,
  { predicate, most, newestFirst, names }: Pass,
  questions: Record<string, CountQuestion>,
) {
  const db = queryOn(client);
  const outbox = outboxTable(ref.mapping);
  const every = toText(predicate);
  // A condition equal to the pass's own is left out, so that an index-only scan can answer.
  const countOf = (where: SQL) =>
    toText(where) === every ? sql<number>`count(*)::int` : sql<number>`count(*) FILTER (WHERE ${where})::int`;
  const counts = Object.fromEntries(names.map((name) => [name, countOf(questions[name]?.where ?? NEVER)]));
  const entries = db.select(outbox.every).from(outbox.rows).where(predicate).$dynamic();
  const ordered = newestFirst ? entries.orderBy(sql`${outbox.column(orderColumn(ref.mapping))} DESC`) : entries;
  return db
    .with(...claimedWith(ref))
    .select({ ...counts, looked: sql<number>`count(*)::int` } as Record<string, SQL<number>>)
    .from((most === null ? ordered : ordered.limit(most + 1)).as("t"));
}

/** "At least 0" is reported as unknown. */
function figureOf(found: number, all: boolean, most: number): CountFigure {
  if (all) return { value: found, precision: "exact" };
  return found === 0 ? UNKNOWN : { value: Math.min(found, most), precision: "capped" };
}
