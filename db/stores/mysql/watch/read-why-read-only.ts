import { sql } from "drizzle-orm";
import type { Pool } from "../connection/pool.ts";
import { withSession } from "../connection/transaction.ts";

/** Newer MariaDB servers answer in words. */
const TAKES_WRITES = ["0", "OFF"];

/** Clause: why the server takes no writes; null if it takes them. */
export async function readWhyReadOnly(writes: Pool): Promise<string | null> {
  const rows = await withSession(writes, (session) => session.rows(sql`SELECT @@global.read_only`));
  return TAKES_WRITES.includes(rows[0]?.[0] ?? "0") ? null : "the server is read-only";
}
