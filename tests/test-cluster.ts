import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import type { Release } from "./postgres-release.ts";

export type TestCluster = { adminUrl: string; stop(): Promise<void> };

/**
 * Without fsync, which test data does not need, a database is cloned in a tenth of the time. Autovacuum's pause is for
 * all databases together: with the default of one minute it would start a process every other second.
 */
const FAST_SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
  max_prepared_transactions: "8",
  autovacuum_naptime: "10min",
};

/** The release that the environment chooses for all tests; null when each file runs on its own. */
export function chosenRelease(): Release | null {
  if (process.env.TEST_DATABASE_URL) return "newest";
  const wish = process.env.TEST_POSTGRES || null;
  if (wish === null) return null;
  if (wish === "14") return "14";
  if (wish === "18") return "newest";
  throw new Error(`TEST_POSTGRES is ${wish}. Say 14 or 18.`);
}

/**
 * A Postgres for one run of tests in a temporary folder; or the server of TEST_DATABASE_URL (a superuser's URL).
 * TEST_POSTGRES_FSYNC=on keeps the server as durable as in production.
 */
export async function startTestCluster(release: Release = chosenRelease() ?? "newest"): Promise<TestCluster> {
  const external = process.env.TEST_DATABASE_URL;
  if (external !== undefined && external !== "") return { adminUrl: external, stop: async () => undefined };
  const dataDir = await mkdtemp(join(tmpdir(), "outbox-console-test-"));
  const durable = process.env.TEST_POSTGRES_FSYNC === "on";
  const server = await startEmbeddedPostgres({
    dataDir,
    release,
    settings: durable ? { max_connections: "300" } : FAST_SETTINGS,
  });
  await trustTheSuperuser(server.url);
  return {
    adminUrl: server.url,
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * From now on the superuser signs in without a password, other users with one. Tests open tens of thousands of
 * connections, and checking a password takes half of the processor time of each.
 */
export async function trustTheSuperuser(adminUrl: string): Promise<void> {
  await withAdmin(adminUrl, async (admin) => {
    const { rows } = await admin.query<{ file: string }>("SELECT current_setting('hba_file') AS file");
    const file = rows[0]?.file as string;
    await writeFile(file, `host all postgres 127.0.0.1/32 trust\n${await readFile(file, "utf8")}`);
    await admin.query("SELECT pg_reload_conf()");
  });
}

/** Creates a database and runs the hook on its URL; it can be cloned while no session is connected to it. */
export async function createTemplate(
  adminUrl: string,
  name: string,
  migrate: (url: string) => Promise<void>,
): Promise<void> {
  const quoted = pg.escapeIdentifier(name);
  await withAdmin(adminUrl, async (admin) => {
    await admin.query(`DROP DATABASE IF EXISTS ${quoted}`);
    await admin.query(`CREATE DATABASE ${quoted} TEMPLATE template0`);
  });
  await migrate(databaseUrl(adminUrl, name));
}

/** For a template: allows tests to empty the audit between them; other changes of it stay forbidden. */
export async function allowTruncateOfAudit(url: string): Promise<void> {
  await withAdmin(url, async (admin) => {
    for (const schema of ["outbox_console", "outbox_console_app"])
      await admin.query(`ALTER TABLE ${schema}.audit DISABLE TRIGGER audit_no_truncate`);
  });
}

export function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${encodeURIComponent(name)}`;
  return url.toString();
}

const adminPools = new Map<string, pg.Pool>();

/** As `withAdmin`, over a connection that a worker keeps for its next test: to open one costs a seventh of a clone. */
export async function withKeptAdmin<T>(adminUrl: string, use: (admin: pg.ClientBase) => Promise<T>): Promise<T> {
  let pool = adminPools.get(adminUrl);
  if (!pool) {
    pool = new pg.Pool({ connectionString: adminUrl, max: 2, allowExitOnIdle: true, application_name: "test admin" });
    // A test, or the end of the run, has stopped its server.
    pool.on("error", () => undefined);
    adminPools.set(adminUrl, pool);
  }
  const admin = await pool.connect();
  try {
    return await use(admin);
  } finally {
    admin.release();
  }
}

export async function withAdmin<T>(adminUrl: string, use: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: adminUrl, application_name: "test admin" });
  await admin.connect();
  try {
    return await use(admin);
  } finally {
    await admin.end();
  }
}
