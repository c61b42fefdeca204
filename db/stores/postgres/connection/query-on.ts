import { NodePgDatabase, NodePgSession } from "drizzle-orm/node-postgres";
import type { Pool, PoolClient } from "pg";
import { throwCause } from "#db/stores/shared/connection/driver-error.ts";
import { dialect } from "./dialect.ts";

export type Database = NodePgDatabase<Record<string, never>>;

/** Throws the driver's own errors: Drizzle's wrapper has the statement and its parameters in its message. */
class PlainErrorSession extends NodePgSession<Record<string, never>, Record<string, never>> {
  override prepareQuery: NodePgSession<Record<string, never>, Record<string, never>>["prepareQuery"] = (...input) => {
    const prepared = super.prepareQuery(...input);
    const execute = prepared.execute.bind(prepared);
    prepared.execute = (values) => execute(values).catch(throwCause);
    return prepared as never;
  };
}

const databases = new WeakMap<Pool | PoolClient, Database>();

/** Drizzle over one connection or pool, cached per connection or pool. `drizzle()` itself would use its own dialect. */
export function queryOn(client: Pool | PoolClient): Database {
  const known = databases.get(client);
  if (known) return known;
  const made: Database = new NodePgDatabase(dialect, new PlainErrorSession(client, dialect, undefined), undefined);
  databases.set(client, made);
  return made;
}
