import { randomBytes } from "node:crypto";
import pg from "pg";
import { databaseUrl, withKeptAdmin } from "./test-cluster.ts";
import { waitFor } from "./wait-for.ts";

export type TestDatabase = {
  name: string;
  url: string;
  /** A pool for the test's own statements; `drop` ends it. */
  pool: pg.Pool;
  /**
   * Fails, naming the connection, when the code under test has left one open for longer than `patienceMs`; then drops
   * the database.
   */
  drop(patienceMs?: number): Promise<void>;
  /** Drops the database despite open connections: after a failure, and for tests that kill processes. */
  dropByForce(): Promise<void>;
};

const POOL_NAME = "test";

export async function cloneDatabase(adminUrl: string, template: string): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(4).toString("hex")}`;
  await withKeptAdmin(adminUrl, async (admin) => {
    const sql = `CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(template)}`;
    await admin.query((await copiesFilesOnly(admin)) ? sql : `${sql} STRATEGY file_copy`);
  });
  const url = databaseUrl(adminUrl, name);
  const pool = new pg.Pool({ connectionString: url, max: 10, application_name: POOL_NAME });
  pool.on("error", () => undefined);
  let poolEnd: Promise<void> | null = null;
  const endPool = () => (poolEnd ??= pool.end());
  const force = (admin: pg.ClientBase) =>
    admin.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
  const dropByForce = async () => {
    await endPool();
    await withKeptAdmin(adminUrl, force);
  };
  return {
    name,
    url,
    pool,
    dropByForce,
    drop: async (patienceMs = 10_000) => {
      await endPool();
      await withKeptAdmin(adminUrl, async (admin) => {
        try {
          await refuseLeaks(admin, name, patienceMs);
        } finally {
          await force(admin);
        }
      });
    },
  };
}

/** Before Postgres 15 there is no other strategy. A copy through the log takes twice the processor time. */
async function copiesFilesOnly(admin: pg.ClientBase): Promise<boolean> {
  const { rows } = await admin.query<{ old: boolean }>(
    "SELECT current_setting('server_version_num')::int < 150000 AS old",
  );
  return rows[0]?.old ?? true;
}

/** A backend exits shortly after its client, hence the patience. */
async function refuseLeaks(admin: pg.ClientBase, name: string, patienceMs: number): Promise<void> {
  let leaked: string[] = [];
  await waitFor(
    async () => {
      const { rows } = await admin.query<{ application_name: string; query: string }>(
        "SELECT application_name, query FROM pg_stat_activity WHERE datname = $1 AND backend_type <> 'autovacuum worker'",
        [name],
      );
      leaked = rows.map((row) => `"${row.application_name}" (last: ${row.query.slice(0, 120)})`);
      return leaked.length === 0;
    },
    { timeoutMs: patienceMs, message: "every connection to the test database is closed" },
  ).catch((cause) => {
    throw new Error(`${leaked.length} connection(s) were left open: ${leaked.join("; ")}`, { cause });
  });
}
