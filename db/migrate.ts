import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { Client } from "pg";
import { AppError } from "#domain/errors.ts";

export interface MigrationSet {
  /** Folder with the generated SQL, relative to the working directory. */
  folder: string;
  schema: string;
  /** Migrations this program knows. */
  known: number;
}

/** Two programs that migrate at once wait for each other: "OBCM" as a number, any constant does. */
const MIGRATION_LOCK = 0x4f42434d;

/** Applies the missing migrations; refuses a database whose schema is newer than this program. Throws: unavailable. */
export async function applyMigrations(url: string, set: MigrationSet): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "outbox-console migrate" });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const applied = await countApplied(client, set.schema);
    if (applied > set.known) throw newerSchemaError(set.schema, applied, set.known);
    await migrate(drizzle(client), {
      migrationsFolder: set.folder,
      migrationsSchema: set.schema,
      migrationsTable: "migration",
    });
  } finally {
    await client.end();
  }
}

/** How many migrations a database has; 0 without our schema, and for a user who may not look into it. */
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

export function newerSchemaError(schema: string, applied: number, known: number): AppError {
  return new AppError(
    "unavailable",
    `The schema ${schema} is newer (migration ${applied}) than this program knows (${known}). Update Outbox Console.`,
  );
}
