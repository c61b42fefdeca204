import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { CountFigure } from "#db/stores/port/outbox-figures.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { COUNT_CAP } from "#db/stores/shared/read/count-cap.ts";
import { exact, figureOf, UNKNOWN_COUNT } from "#db/stores/shared/read/count-figure.ts";
import { ALWAYS, NEVER } from "#db/stores/shared/states/conditions.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { TablePart } from "#db/stores/shared/tables/table-part.ts";
import { toText } from "../connection/dialect.ts";
import { queryOn } from "../connection/query-on.ts";
import { withIndexesOnly } from "../plans/find-access.ts";
import { partBases, READ_BUDGET, type Reading, readingOf } from "../plans/table-access.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { claimedWith } from "../tables/states/message-state.ts";

const ZERO = exact(0);

export interface CountQuestion {
  /** Part of the table that contains the wanted rows. */
  part: TablePart;
  /** Condition of the wanted rows over row `t`; may refer to `claimed`. */
  where: SQL;
}

/** Entries of an index by the condition of a pass: counted once for all questions of one transaction. */
export type CountedEntries = Map<string, number>;

/** One read of an index, and the counts it answers. */
interface Pass {
  key: string;
  predicate: SQL;
  most: number | null;
  /** Read from the new end of a wider index: waiting rows are mostly younger than dead ones. */
  newestFirst: boolean;
  names: string[];
}

/**
 * Bounded counts of a large table. With an index of just the wanted rows: exact up to the cap. With a wider index, or
 * where more than the cap have to be looked at: one pass over fewer entries, the newest if it is wider, so the count is
 * "at least". Unknown if only a scan could answer.
 */
export async function countParts<Name extends string>(
  client: PoolClient,
  ref: OutboxRef,
  questions: Record<Name, CountQuestion>,
  counted: CountedEntries = new Map(),
): Promise<Record<Name, CountFigure>> {
  const figures = {} as Record<Name, CountFigure>;
  const passes = new Map<string, Pass>();
  for (const name of Object.keys(questions) as Name[]) {
    const { part, where } = questions[name];
    figures[name] = where === NEVER ? ZERO : UNKNOWN_COUNT;
    if (figures[name] === ZERO) continue;
    const pass = passOf(await readingOf(client, ref, part), ref, part);
    if (!pass) continue;
    const known = passes.get(pass.key) ?? pass;
    known.names.push(name);
    passes.set(pass.key, known);
  }
  const run = async (some: readonly Pass[]) => {
    for (const pass of some) Object.assign(figures, await runPass(client, ref, { pass, questions, counted }));
  };
  const { index = [], whole = [] } = Object.groupBy(passes.values(), ({ most }) => (most === null ? "whole" : "index"));
  await run(whole);
  if (index.length > 0) await withIndexesOnly(client, () => run(index));
  return figures;
}

function passOf(reading: Reading, ref: OutboxRef, part: TablePart): Pass | null {
  if (reading.kind === "none") return null;
  const made = (pass: Omit<Pass, "key" | "names">): Pass => ({
    ...pass,
    key: `${pass.most}:${toText(pass.predicate)}`,
    names: [],
  });
  if (reading.kind === "whole")
    return made({ predicate: partBases(ref, part).at(-1) ?? ALWAYS, most: null, newestFirst: false });
  const { predicate, exact, ordered } = reading.access;
  return made({ predicate, most: exact ? COUNT_CAP : READ_BUDGET, newestFirst: !exact && ordered });
}

interface PassInput {
  pass: Pass;
  questions: Record<string, CountQuestion>;
  counted: CountedEntries;
}

/**
 * If a question has to look at rows, the entries are counted by the index alone first: of more than the cap nothing can
 * be known but "at least", for which fewer rows do.
 */
async function runPass(
  client: PoolClient,
  ref: OutboxRef,
  { pass, questions, counted }: PassInput,
): Promise<Record<string, CountFigure>> {
  const [every, some] = byNeed(pass, questions);
  if (pass.most !== COUNT_CAP) return (await readPass(client, ref, pass, questions)).figures;
  const known = counted.get(pass.key);
  const entries = known === undefined ? await readPass(client, ref, { ...pass, names: [] }, questions) : null;
  const looked = known ?? entries?.looked ?? 0;
  counted.set(pass.key, looked);
  const figures = Object.fromEntries(every.map((name) => [name, figureOf(looked, looked <= COUNT_CAP, COUNT_CAP)]));
  if (looked === 0) return Object.fromEntries(pass.names.map((name) => [name, ZERO]));
  if (some.length === 0) return figures;
  const most = looked > COUNT_CAP ? READ_BUDGET : COUNT_CAP;
  return { ...figures, ...(await readPass(client, ref, { ...pass, most, names: some }, questions)).figures };
}

/** Questions about every entry, and those about some of them. */
function byNeed({ predicate, names }: Pass, questions: Record<string, CountQuestion>): [string[], string[]] {
  const text = toText(predicate);
  const isEvery = (name: string) => toText(questions[name]?.where ?? NEVER) === text;
  return [names.filter(isEvery), names.filter((name) => !isEvery(name))];
}

async function readPass(
  client: PoolClient,
  ref: OutboxRef,
  pass: Pass,
  questions: Record<string, CountQuestion>,
): Promise<{ looked: number; figures: Record<string, CountFigure> }> {
  const { names, most } = pass;
  const [row] = await passQuery(client, ref, pass, questions);
  const looked = row?.looked ?? 0;
  const all = most === null || looked <= most;
  const of = (name: string) => figureOf(row?.[name] ?? 0, all, most ?? Number.POSITIVE_INFINITY);
  return { looked, figures: Object.fromEntries(names.map((name) => [name, of(name)])) };
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
