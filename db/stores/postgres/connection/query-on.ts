import { NodePgDatabase, NodePgSession } from "drizzle-orm/node-postgres";
import type { Pool, PoolClient } from "pg";
import { causeOf } from "./database-error.ts";
import { dialect } from "./dialect.ts";

export type Database = NodePgDatabase<Record<string, never>>;

/** Queries that throw what the driver threw: Drizzle's own error holds the statement and its parameters in its message. */
class PlainErrorSession extends NodePgSession<Record<string, never>, Record<string, never>> {
  override prepareQuery: NodePgSession<Record<string, never>, Record<string, never>>["prepareQuery"] = (...input) => {
    const prepared = super.prepareQuery(...input);
    const execute = prepared.execute.bind(prepared);
    prepared.execute = (values) => execute(values).catch(throwCause);
    return prepared as never;
  };
}

function throwCause(error: unknown): never {
  throw causeOf(error);
}

const databases = new WeakMap<Pool | PoolClient, Database>();

/** Drizzle over one connection or pool, made once for each. `drizzle()` itself would take a dialect of its own. */
export function queryOn(client: Pool | PoolClient): Database {
  const known = databases.get(client);
  if (known) return known;
  const made: Database = new NodePgDatabase(dialect, new PlainErrorSession(client, dialect, undefined), undefined);
  databases.set(client, made);
  return made;
}
