import { readMigrationFiles } from "drizzle-orm/migrator";
import { Client } from "pg";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { programFile } from "#db/stores/shared/connection/program-file.ts";
import { AppError } from "#domain/errors.ts";
import { connectionString } from "./connection-string.ts";

export interface MigrationSet {
  /** Folder with the generated SQL, relative to the program's. */
  folder: string;
  schema: string;
  /** Migrations this program knows. */
  known: number;
}

export interface MigrateOptions {
  /** Longest wait for another migration or a lock on one of our tables, ms. */
  lockTimeoutMs?: number;
}

/**
 * Advisory lock key that makes concurrent migrations wait for each other. The value is arbitrary: "OBCM" as a number.
 */
const MIGRATION_LOCK = 0x4f42434d;
const LOCK_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 10_000;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Applies the missing migrations in one transaction. Refuses a schema newer than this program. The lock is a
 * transaction lock: a session lock would stay behind in a pooler's server connection. Throws: unavailable; locked,
 * naming the holder.
 */
export async function applyMigrations(url: string, set: MigrationSet, options: MigrateOptions = {}): Promise<void> {
  const client = new Client({
    connectionString: connectionString(url),
    application_name: "outbox-console migrate",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // A lost connection is reported by the statement that needed it.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await migrateLocked(client, set, options.lockTimeoutMs ?? LOCK_TIMEOUT_MS);
  } finally {
    await client.end();
  }
}

async function migrateLocked(client: Client, set: MigrationSet, lockTimeoutMs: number): Promise<void> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${Math.floor(lockTimeoutMs)}`);
  let waitingForLock = true;
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    waitingForLock = false;
    await applyMissing(client, set);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw waitingForLock ? await lockHeldError(client, lockTimeoutMs) : tableLockedError(set.schema, lockTimeoutMs);
  }
}

/** Does what drizzle's own migrator does, inside the transaction that holds the lock. */
async function applyMissing(client: Client, set: MigrationSet): Promise<void> {
  const applied = await countApplied(client, set.schema);
  if (applied > set.known) throw newerSchemaError(set.schema, applied, set.known);
  const table = `"${set.schema}"."migration"`;
  // Check first: CREATE SCHEMA IF NOT EXISTS needs the right to create schemas even if ours exists.
  const there = await client.query("SELECT to_regclass($1) AS found", [table]);
  if (there.rows[0]?.found === null) {
    await client.query(`CREATE SCHEMA IF NOT EXISTS "${set.schema}"`);
    await client.query(`CREATE TABLE ${table} (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint)`);
  }
  const newest = await client.query<{ at: string | null }>(`SELECT max(created_at) AS at FROM ${table}`);
  const newestMs = Number(newest.rows[0]?.at ?? 0);
  for (const { sql, hash, folderMillis } of readMigrationFiles({ migrationsFolder: programFile(set.folder) })) {
    if (folderMillis <= newestMs) continue;
    for (const statement of sql) await client.query(statement);
    await client.query(`INSERT INTO ${table} (hash, created_at) VALUES ($1, $2)`, [hash, folderMillis]);
  }
}

/** pg_locks shows a bigint key as two halves, classid and objid. */
const HOLDER_SQL = `
SELECT a.pid, a.application_name AS application, a.usename AS "user", a.state
FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $1 AND l.objsubid = 1
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

async function lockHeldError(client: Client, lockTimeoutMs: number): Promise<AppError> {
  const found = await client.query(HOLDER_SQL, [MIGRATION_LOCK]).catch(() => null);
  const holder = found?.rows[0];
  const who = holder
    ? `the session with pid ${holder.pid} (application "${holder.application || "unnamed"}", user ${holder.user}, ${holder.state ?? "state not visible"})`
    : "another session, which has just ended";
  const end = holder
    ? ` Wait until it is done. If it is idle, an earlier migrate through a pooler left the lock behind: end it with SELECT pg_terminate_backend(${holder.pid}); and name the server itself in directUrl.`
    : " Run it again.";
  return new AppError(
    "locked",
    `The migration lock was not free within ${lockTimeoutMs / 1000} s: ${who} holds it.${end}`,
  );
}

function tableLockedError(schema: string, lockTimeoutMs: number): AppError {
  return new AppError(
    "locked",
    `A table of the schema ${schema} was locked by another session for ${lockTimeoutMs / 1000} s. Nothing was changed. Stop the workers, or end the transaction that holds it (pg_stat_activity), and run it again.`,
  );
}

/** Number of applied migrations; 0 without our schema, or if the user may not read it. */
export async function countApplied(client: Pick<Client, "query">, schema: string): Promise<number> {
  const found = await client.query(
    `SELECT has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') AS readable
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = 'migration'`,
    [schema],
  );
  if (!found.rows[0]?.readable) return 0;
  const counted = await client.query(`SELECT count(*)::int AS applied FROM "${schema}"."migration"`);
  return counted.rows[0]?.applied ?? 0;
}

function newerSchemaError(schema: string, applied: number, known: number): AppError {
  return new AppError(
    "unavailable",
    `The schema ${schema} is newer (migration ${applied}) than this program knows (${known}). Update Outbox Console.`,
  );
}
