import { sql } from "drizzle-orm";
import type { TableName } from "#db/stores/port/mapping.ts";
import type { Session } from "../connection/session.ts";

export interface TableSize {
  /** The server's estimate, from the sampled statistics of InnoDB. */
  rows: number;
  /** Bytes that a scan reads. */
  bytes: number;
}

/**
 * InnoDB stores values longer than about half a page off the page, where a scan for other columns does not read them.
 */
const MOST_ROW_BYTES = 8192;

/** Rows and bytes of a table; zeros for one that does not exist. */
export async function readTableSize(session: Session, { schema, name }: TableName): Promise<TableSize> {
  const [found = []] = await session.rows(
    sql`SELECT table_rows, avg_row_length FROM information_schema.tables WHERE table_schema = ${schema} AND table_name = ${name}
      AND CAST(table_schema AS BINARY) = ${schema} AND CAST(table_name AS BINARY) = ${name}`,
  );
  const [rows, bytes] = found.map((value) => Number(value ?? 0));
  return { rows: rows ?? 0, bytes: (rows ?? 0) * Math.min(bytes ?? 0, MOST_ROW_BYTES) };
}
