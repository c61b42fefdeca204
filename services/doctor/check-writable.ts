import type { Pool } from "pg";
import { quoteIdentifier } from "#db/stores/postgres/tables/mapping-sql.ts";
import type { DoctorReport } from "./report.ts";

interface Facts {
  user: string;
  database: string;
  standby: boolean;
  readOnly: boolean;
  /** Where the default comes from, when a role or a database has it. */
  ofRole: boolean | null;
  ofDatabase: boolean | null;
}

/** A standby, or a session that is read-only by default, takes no writes: `operate`, `relay` and `migrate` would fail. */
const SQL = `
SELECT current_user AS "user", current_database() AS database, pg_is_in_recovery() AS standby,
  current_setting('transaction_read_only')::bool AS "readOnly", s.setrole <> 0 AS "ofRole", s.setdatabase <> 0 AS "ofDatabase"
FROM (SELECT 1) one LEFT JOIN LATERAL (
  SELECT setrole, setdatabase FROM pg_db_role_setting
  WHERE setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = current_user))
    AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    AND EXISTS (SELECT 1 FROM unnest(setconfig) c WHERE c LIKE 'default_transaction_read_only=%')
  ORDER BY setrole <> 0 DESC, setdatabase <> 0 DESC LIMIT 1) s ON true`;

export async function checkWritable(input: { pool: Pool; name: string; report: DoctorReport }): Promise<void> {
  const { pool, name, report } = input;
  const facts = (await pool.query<Facts>(SQL)).rows[0];
  if (!facts) return;
  if (facts.standby) {
    report.bad(`${name}: the server is a standby, which takes no writes`, "Name the primary in its URL.");
  } else if (facts.readOnly) {
    report.bad(
      `${name}: sessions are read-only (default_transaction_read_only), and writes are refused`,
      resetSql(facts),
    );
  } else report.ok(`${name}: the database takes writes`);
}

function resetSql({ user, database, ofRole, ofDatabase }: Facts): string {
  const [role, inDatabase] = [quoteIdentifier(user), quoteIdentifier(database)];
  const reset = "RESET default_transaction_read_only;";
  if (ofRole && ofDatabase) return `ALTER ROLE ${role} IN DATABASE ${inDatabase} ${reset}`;
  if (ofRole) return `ALTER ROLE ${role} ${reset}`;
  if (ofDatabase) return `ALTER DATABASE ${inDatabase} ${reset}`;
  return `ALTER SYSTEM ${reset} SELECT pg_reload_conf();\n-- or take it out of the options in the URL, where it is there`;
}
