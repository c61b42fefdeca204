import type { Pool } from "pg";
import type { DoctorFinding } from "../../port/doctor.ts";
import { quoteIdentifier } from "../tables/mapping-sql.ts";

interface Limits {
  user: string;
  database: string;
  superuser: boolean;
  /** -1 is no limit. */
  ofRole: number;
  ofDatabase: number;
  ofServer: number;
  othersOfRole: number;
  othersOfDatabase: number;
  others: number;
}

/** Counts other programs' sessions only: ours are included in the number needed. */
const SQL = `
SELECT current_user AS "user", current_database() AS database, r.rolsuper AS superuser, r.rolconnlimit AS "ofRole", d.datconnlimit AS "ofDatabase",
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0) AS "ofServer",
  (count(*) FILTER (WHERE a.usesysid = r.oid))::int AS "othersOfRole", (count(*) FILTER (WHERE a.datid = d.oid))::int AS "othersOfDatabase",
  count(a.pid)::int AS others
FROM pg_roles r JOIN pg_database d ON d.datname = current_database()
LEFT JOIN pg_stat_activity a ON a.datid IS NOT NULL AND a.application_name NOT LIKE 'outbox-console%'
WHERE r.rolname = current_user GROUP BY r.oid, r.rolsuper, r.rolconnlimit, d.oid, d.datconnlimit`;

/**
 * Checks that one console and one worker can open all their connections; findings include the SQL that fixes a
 * shortage.
 */
export async function checkConnections(pool: Pool, name: string, needed: number): Promise<DoctorFinding[]> {
  const limits = (await pool.query<Limits>(SQL)).rows[0];
  if (!limits) return [];
  const need = `one console and one worker open up to ${needed}`;
  const short = shortages(limits, needed);
  if (short.length === 0) return [{ level: "ok", text: `${name}: there are enough connections (${need})` }];
  return short.map(({ what, limit, others, fix }) => ({
    level: "bad",
    text: `${name}: ${what} allows ${limit} connections, other programs use ${others} now, and ${need}`,
    fix,
  }));
}

interface Shortage {
  what: string;
  limit: number;
  others: number;
  fix: string;
}

function shortages(limits: Limits, needed: number): Shortage[] {
  const { user, database, superuser, ofRole, ofDatabase, ofServer } = limits;
  const found: Shortage[] = [];
  const lacks = (limit: number, others: number) => limit >= 0 && limit - others < needed;
  // Only the server's limit applies to a superuser.
  if (!superuser && lacks(ofRole, limits.othersOfRole)) {
    const fix = `ALTER ROLE ${quoteIdentifier(user)} CONNECTION LIMIT ${limits.othersOfRole + needed};`;
    found.push({ what: `the role ${user}`, limit: ofRole, others: limits.othersOfRole, fix });
  }
  if (!superuser && lacks(ofDatabase, limits.othersOfDatabase)) {
    const fix = `ALTER DATABASE ${quoteIdentifier(database)} CONNECTION LIMIT ${limits.othersOfDatabase + needed};`;
    found.push({ what: `the database ${database}`, limit: ofDatabase, others: limits.othersOfDatabase, fix });
  }
  if (lacks(ofServer, limits.others)) {
    const fix =
      "Raise max_connections (a restart), or put a pooler in between: pgbouncer=true in url, the server in directUrl.";
    found.push({
      what: "the server (max_connections less what is reserved)",
      limit: ofServer,
      others: limits.others,
      fix,
    });
  }
  return found;
}
