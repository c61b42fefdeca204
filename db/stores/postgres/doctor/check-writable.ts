import type { Pool } from "pg";
import type { DoctorFinding } from "../../port/doctor.ts";
import { quoteIdentifier } from "../tables/mapping-sql.ts";

interface Facts {
  user: string;
  database: string;
  standby: boolean;
  readOnly: boolean;
  /** Whether the read-only default is set on the role or the database; null if on neither. */
  ofRole: boolean | null;
  ofDatabase: boolean | null;
}

/**
 * A standby, or a session that is read-only by default, refuses writes: `operate`, `relay` and `migrate` would fail.
 */
const SQL = `
SELECT current_user AS "user", current_database() AS database, pg_is_in_recovery() AS standby,
  current_setting('transaction_read_only')::bool AS "readOnly", s.setrole <> 0 AS "ofRole", s.setdatabase <> 0 AS "ofDatabase"
FROM (SELECT 1) one LEFT JOIN LATERAL (
  SELECT setrole, setdatabase FROM pg_db_role_setting
  WHERE setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = current_user))
    AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    AND EXISTS (SELECT 1 FROM unnest(setconfig) c WHERE c LIKE 'default_transaction_read_only=%')
  ORDER BY setrole <> 0 DESC, setdatabase <> 0 DESC LIMIT 1) s ON true`;

export async function checkWritable(pool: Pool, name: string): Promise<DoctorFinding[]> {
  const facts = (await pool.query<Facts>(SQL)).rows[0];
  if (!facts) return [];
  if (facts.standby) {
    const text = `${name}: the server is a standby and accepts no writes`;
    return [{ level: "bad", text, fix: "Name the primary in its URL." }];
  }
  if (!facts.readOnly) return [{ level: "ok", text: `${name}: the database accepts writes` }];
  const text = `${name}: sessions are read-only (default_transaction_read_only), and writes are refused`;
  return [{ level: "bad", text, fix: resetSql(facts) }];
}

function resetSql({ user, database, ofRole, ofDatabase }: Facts): string {
  const [role, inDatabase] = [quoteIdentifier(user), quoteIdentifier(database)];
  const reset = "RESET default_transaction_read_only;";
  if (ofRole && ofDatabase) return `ALTER ROLE ${role} IN DATABASE ${inDatabase} ${reset}`;
  if (ofRole) return `ALTER ROLE ${role} ${reset}`;
  if (ofDatabase) return `ALTER DATABASE ${inDatabase} ${reset}`;
  return `ALTER SYSTEM ${reset} SELECT pg_reload_conf();\n-- or remove it from the options in the URL, if it is set there`;
}
