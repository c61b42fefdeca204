import { sql } from "drizzle-orm";
import { isForbidden } from "../../connection/database-error.ts";
import type { Session } from "../../connection/session.ts";

/** True for a session of this program, recognised by the name that it gave when it connected. */
export function isOurs(program: string | null | undefined): boolean {
  return program?.startsWith("outbox-console") ?? false;
}

/**
 * Names that programs gave when they connected, by connection. Empty where the server keeps none (performance_schema is
 * off) or this user may not read them.
 */
export async function readPrograms(session: Session): Promise<Map<number, string>> {
  try {
    const rows = await session.rows(
      sql`SELECT processlist_id, attr_value FROM performance_schema.session_connect_attrs WHERE attr_name = 'program_name'`,
    );
    return new Map(rows.map(([id, name]) => [Number(id), name ?? ""]));
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return new Map();
  }
}

/** The state in the port's words. `command` is the process list's. */
export function stateOf(command: string | null | undefined): string {
  return command === "Sleep" ? "idle in transaction" : "active";
}

const LITERALS = /'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|"(?:[^"\\]|\\[\s\S]|"")*(?:"|$)|\b0x[0-9a-f]+/gi;
const SHOWN_CHARACTERS = 200;

/** A statement for display: without literals, because they may contain payloads, and cut to 200 characters. */
export function shownQuery(query: string | null | undefined): string | null {
  if (!query) return null;
  return query.replace(LITERALS, "'…'").replace(/\s+/g, " ").trim().slice(0, SHOWN_CHARACTERS);
}

/** Statement that ends a session; its transaction is rolled back. */
export function endSessionSql(connection: number): string {
  return `KILL ${connection}`;
}
