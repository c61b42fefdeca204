import { randomBytes } from "node:crypto";
import pg from "pg";
import { databaseUrl, withAdmin } from "./test-cluster.ts";
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
  await withAdmin(adminUrl, (admin) =>
    admin.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(template)}`),
  );
  const url = databaseUrl(adminUrl, name);
  const pool = new pg.Pool({ connectionString: url, max: 10, application_name: POOL_NAME });
  pool.on("error", () => undefined);
  let poolEnd: Promise<void> | null = null;
  const endPool = () => (poolEnd ??= pool.end());
  const dropByForce = async () => {
    await endPool();
    await withAdmin(adminUrl, (admin) =>
      admin.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
    );
  };
  return {
    name,
    url,
    pool,
    dropByForce,
    drop: async (patienceMs = 10_000) => {
      await endPool();
      try {
        await refuseLeaks(adminUrl, name, patienceMs);
      } finally {
        await dropByForce();
      }
    },
  };
}

/** A backend exits shortly after its client, hence the patience. */
async function refuseLeaks(adminUrl: string, name: string, patienceMs: number): Promise<void> {
  await withAdmin(adminUrl, async (admin) => {
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
  });
}
