import type { Pool } from "pg";

const SQL = `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only')::bool AS "readOnly"`;

/** Clause: why sessions that are to write cannot; null if they can. The pool's sessions do not ask to be read-only. */
export async function readWhyReadOnly(writes: Pool): Promise<string | null> {
  const { rows } = await writes.query<{ standby: boolean; readOnly: boolean }>(SQL);
  if (rows[0]?.standby) return "the server is a standby";
  return rows[0]?.readOnly ? "its sessions are read-only by default" : null;
}
