import type { Pool } from "pg";
import { toDatabaseError } from "#db/stores/postgres/connection/database-error.ts";
import { createPool, splitPooler } from "#db/stores/postgres/connection/pool.ts";
import type { Config } from "../config/config-schema.ts";
import { checkConnections } from "./check-connections.ts";
import { checkWritable } from "./check-writable.ts";
import { type DatabaseUse, databaseUses } from "./database-uses.ts";
import type { DoctorReport } from "./report.ts";

/**
 * Whether each database takes the writes that the configuration needs, and has connections enough for one console and one
 * worker. Changes nothing.
 */
export async function checkDatabases(config: Config, report: DoctorReport): Promise<void> {
  for (const uses of groupByLogin(databaseUses(config))) await checkLogin(uses, report);
}

/** Limits of connections are a role's and a server's: uses with the same server and user count together. */
function groupByLogin(uses: readonly DatabaseUse[]): [DatabaseUse, ...DatabaseUse[]][] {
  const groups = new Map<string, [DatabaseUse, ...DatabaseUse[]]>();
  for (const use of uses) {
    const url = URL.canParse(use.url) ? new URL(use.url) : null;
    const key = url ? `${url.username}@${url.host}` : use.url;
    const group = groups.get(key);
    if (group) group.push(use);
    else groups.set(key, [use]);
  }
  return [...groups.values()];
}

async function checkLogin(uses: [DatabaseUse, ...DatabaseUse[]], report: DoctorReport): Promise<void> {
  const urls = new Map<string, DatabaseUse[]>();
  for (const use of uses) urls.set(use.url, [...(urls.get(use.url) ?? []), use]);
  let counted = false;
  for (const [url, [first, ...more]] of urls) {
    if (!first) continue;
    const pool = createPool({
      url,
      applicationName: "outbox-console doctor",
      readOnly: false,
      max: 1,
      statementTimeoutMs: 5000,
    });
    try {
      const writes = [first, ...more].some((use) => use.writes);
      if (writes) await checkWritable({ pool, name: first.name, report });
      // Behind a pooler the connections are the pooler's to count.
      if (!counted && !splitPooler(url).pooled) {
        counted = true;
        await countFor(pool, uses, report);
      }
    } catch (error) {
      report.bad(toDatabaseError(error, first.name).message);
    } finally {
      await pool.end();
    }
  }
}

async function countFor(pool: Pool, uses: readonly DatabaseUse[], report: DoctorReport): Promise<void> {
  const direct = uses.filter((use) => !splitPooler(use.url).pooled);
  const needed = direct.reduce((sum, use) => sum + use.connections, 0);
  await checkConnections({ pool, name: [...new Set(direct.map(({ name }) => name))].join(", "), needed, report });
}
