import { sql } from "drizzle-orm";
import type { Pool } from "../connection/pool.ts";
import { withSession } from "../connection/transaction.ts";

/** Newer MariaDB servers answer in words. */
const TAKES_WRITES = ["0", "OFF"];
/** Accounts with one of these write all the same, unless `super_read_only` is on. */
const PRIVILEGES = sql`('SUPER', 'CONNECTION_ADMIN', 'READ_ONLY ADMIN')`;
const MAY_WRITE = sql`EXISTS (SELECT 1 FROM information_schema.user_privileges
  WHERE grantee = CONCAT('''', REPLACE(CURRENT_USER(), '@', '''@'''), '''') AND privilege_type IN ${PRIVILEGES})`;

/** Clause: why the server takes no writes of this account; null if it takes them, or may. */
export async function readWhyReadOnly(writes: Pool): Promise<string | null> {
  const rows = await withSession(writes, (session) => session.rows(sql`SELECT @@global.read_only, ${MAY_WRITE}`));
  const [readOnly, mayWrite] = rows[0] ?? [];
  return mayWrite === "1" || TAKES_WRITES.includes(readOnly ?? "0") ? null : "the server is read-only";
}
