import { type SQLWrapper, sql } from "drizzle-orm";
import type { Session } from "../connection/session.ts";
import { type PlanNode, scansOf } from "./plan-scans.ts";

/**
 * Most rows that a statement may have to read for a page or a count, by the server's estimate: some 100 ms of rows that
 * are in memory.
 */
export const MOST_ROWS = 100_000;

/** The plan of a query, without running it. */
export async function explain(session: Session, query: SQLWrapper): Promise<PlanNode> {
  // Not the builder itself: Drizzle puts one into parentheses, in which MariaDB takes no WITH.
  return explained(await session.rows(sql`EXPLAIN FORMAT=JSON ${query.getSQL()}`));
}

/** The same for a statement kept as text, such as the relay's. */
export async function explainText(session: Session, text: string): Promise<PlanNode> {
  return explained(await session.rows(`EXPLAIN FORMAT=JSON ${text}`));
}

function explained(rows: readonly (string | null)[][]): PlanNode {
  return JSON.parse(rows[0]?.[0] ?? "{}");
}

/**
 * Rows of the team's table, alias `t`, that a query has to read at most. A walk along an index with a filter counts
 * as the whole table: the wanted rows may be at its end, despite the server's estimate.
 */
export async function rowsRead(session: Session, query: SQLWrapper, tableRows: () => Promise<number>): Promise<number> {
  const scans = scansOf(await explain(session, query), "t");
  let most = 0;
  for (const { how, filtered, rows } of scans) {
    const read = how === "search" || (how === "walk" && !filtered) ? rows : Math.max(rows, await tableRows());
    most = Math.max(most, read);
  }
  return most;
}
