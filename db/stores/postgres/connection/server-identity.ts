import type { Pool, PoolClient } from "pg";

/**
 * The cluster and the database in which an oid means what it meant when it was kept: a dump that is restored elsewhere
 * gives its tables other ones. A standby has that of its primary. Null where the user may not ask.
 */
export async function readServerIdentity(db: Pick<Pool | PoolClient, "query">): Promise<string | null> {
  const { rows: asked } = await db.query<{ may: boolean }>(
    "SELECT has_function_privilege('pg_control_system()', 'EXECUTE') AS may",
  );
  if (!asked[0]?.may) return null;
  const { rows } = await db.query<{ identity: string }>(
    `SELECT system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS identity
     FROM pg_control_system()`,
  );
  return rows[0]?.identity ?? null;
}
