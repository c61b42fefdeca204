import type { PoolClient } from "pg";
import { errorCode } from "../../postgres/database-error.ts";
import type { MessageFilter, MessageRow } from "../message-row.ts";
import type { OutboxRef } from "../outbox-ref.ts";
import {
  afterCursor,
  badCursorError,
  cursorColumns,
  decodeCursor,
  encodeCursor,
  isBadCursorValue,
  type Keyset,
  orderBy,
} from "./keyset.ts";
import { type ListSource, listSources } from "./list-sources.ts";
import { indexFor } from "./message-filter.ts";
import { MOST_FILTER_COST, refuseScan, wouldScan } from "./query-cost.ts";

export interface MessagePage {
  rows: MessageRow[];
  nextCursor: string | null;
}

/** A count that stops at `atLeast`; null where counting would scan. */
export interface CappedCount {
  value: number;
  capped: boolean;
}

const COUNT_CAP = 10_000;

/**
 * One page of messages, payloads not read. Waiting messages come oldest first, all others newest first. A tab that
 * has two places (dead: in the table and moved out of it) lists one after the other.
 * Throws: invalid_input for a damaged cursor; filter_not_indexed for a filter that would scan a large table.
 */
export async function listMessages(
  client: PoolClient,
  ref: OutboxRef,
  input: { filter: MessageFilter; cursor?: string | undefined; limit: number },
): Promise<MessagePage> {
  const sources = listSources(ref, input.filter);
  const start = startOf(sources, input.cursor);
  const rows: MessageRow[] = [];
  for (let index = start.index; index < sources.length; index += 1) {
    const source = sources[index];
    if (!source) break;
    const wanted = input.limit - rows.length;
    const page = await readPage(client, ref, {
      source,
      filter: input.filter,
      after: index === start.index ? start.after : undefined,
      limit: wanted,
    });
    rows.push(...page.rows);
    if (page.last) return { rows, nextCursor: encodeCursor(source.scope, page.last) };
    if (rows.length >= input.limit && sources[index + 1])
      return { rows, nextCursor: encodeCursor(sources[index + 1]?.scope ?? "", ["start"]) };
  }
  return { rows, nextCursor: null };
}

function startOf(
  sources: readonly ListSource[],
  cursor: string | undefined,
): { index: number; after: string[] | undefined } {
  if (cursor === undefined) return { index: 0, after: undefined };
  for (const [index, source] of sources.entries()) {
    for (const length of [source.keyset.keys.length, 1]) {
      try {
        const values = decodeCursor(cursor, source.scope, length);
        return { index, after: values.length === 1 && values[0] === "start" ? undefined : values };
      } catch {
        // Another source's cursor, or none at all: told below.
      }
    }
  }
  throw badCursorError();
}

interface PageInput {
  source: ListSource;
  filter: MessageFilter;
  after: string[] | undefined;
  limit: number;
}

async function readPage(
  client: PoolClient,
  ref: OutboxRef,
  input: PageInput,
): Promise<{ rows: MessageRow[]; last: string[] | null }> {
  const { source, after, limit } = input;
  const { sql, values } = pageSql(source, after, limit);
  try {
    if (source.mayScan) await refuseScan(client, sql, values, indexFor(ref, input.filter), mostCost(input.filter));
    const result = await client.query<MessageRow & Record<string, string>>({ text: sql, values });
    const page = result.rows.slice(0, limit);
    const lastRow = result.rows.length > limit ? page.at(-1) : undefined;
    const last = lastRow ? source.keyset.keys.map((_, index) => lastRow[`cursor${index}`] ?? "") : null;
    return { rows: page.map((row) => withoutCursor(row, source.keyset)), last };
  } catch (error) {
    if (after && isBadCursorValue(errorCode(error))) throw badCursorError();
    throw error;
  }
}

/** A tab without a filter is shown as long as it is bearable: it is the first thing that people open. */
function mostCost({ state: _, ...filters }: MessageFilter): number | undefined {
  return Object.values(filters).some((value) => value !== undefined) ? MOST_FILTER_COST : undefined;
}

function pageSql(source: ListSource, after: string[] | undefined, limit: number): { sql: string; values: unknown[] } {
  const beyond = after ? afterCursor(source.keyset, after, source.values.length + 1) : undefined;
  const values = [...source.values, ...(beyond?.values ?? [])];
  const afterSql = beyond ? `AND ${beyond.sql}` : "";
  const sql = `WITH ${source.cte} SELECT ${source.columns}, ${cursorColumns(source.keyset)}
    FROM ${source.from} WHERE ${source.where} ${afterSql} ORDER BY ${orderBy(source.keyset)} LIMIT ${limit + 1}`;
  return { sql, values };
}

function withoutCursor(row: MessageRow & Record<string, unknown>, keyset: Keyset): MessageRow {
  const copy = { ...row };
  keyset.keys.forEach((_, index) => {
    delete copy[`cursor${index}`];
  });
  return copy;
}

/** How many messages match, up to 10,000. */
export async function countMatching(
  client: PoolClient,
  ref: OutboxRef,
  filter: MessageFilter,
): Promise<CappedCount | null> {
  let total = 0;
  for (const source of listSources(ref, filter)) {
    const sql = `WITH ${source.cte} SELECT count(*)::int AS count FROM (SELECT 1 FROM ${source.from} WHERE ${source.where} LIMIT ${COUNT_CAP + 1}) found`;
    if (source.mayScan && (await wouldScan(client, sql, source.values))) return null;
    const result = await client.query<{ count: number }>({ text: sql, values: source.values });
    total += result.rows[0]?.count ?? 0;
  }
  return total > COUNT_CAP ? { value: COUNT_CAP, capped: true } : { value: total, capped: false };
}
