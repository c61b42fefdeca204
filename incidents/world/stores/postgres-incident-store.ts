import type { TestDatabase } from "#tests/test-database.ts";
import { ForeignSession } from "../foreign-session.ts";
import { insertEvents } from "../outbox-table.ts";
import type { IncidentStore } from "./incident-store.ts";

const OWNED = "SELECT outbox FROM outbox_console.relay_instance WHERE pid = $1 AND state IN ('owner', 'paused')";
const PAUSED = `SELECT count(*)::int AS count FROM outbox_console.relay_instance
  WHERE outbox = $1 AND state = 'paused' AND heartbeat_at > clock_timestamp() - interval '5 seconds'`;

/**
 * The account of console and relay, with what docs/operating.md grants for mode `relay`; those of a table come with it.
 */
export const APP_ACCOUNT = "outbox_console_app_user";
const PASSWORD = "incidents";
const PREPARE = `
CREATE ROLE ${APP_ACCOUNT} LOGIN PASSWORD '${PASSWORD}';
GRANT USAGE ON SCHEMA public, outbox_console, outbox_console_app TO ${APP_ACCOUNT};
GRANT pg_read_all_stats TO ${APP_ACCOUNT};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA outbox_console, outbox_console_app TO ${APP_ACCOUNT};
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA outbox_console, outbox_console_app TO ${APP_ACCOUNT}`;

/** The database as an account sees it that may do no more than it has to. */
export async function postgresAccountStore(database: TestDatabase): Promise<IncidentStore> {
  const { url, pool } = database;
  await pool.query(PREPARE);
  const store = postgresIncidentStore(database);
  return {
    ...store,
    section: (port) => ({
      kind: "postgres",
      url: Object.assign(new URL(url), { port: String(port), username: APP_ACCOUNT, password: PASSWORD }).toString(),
    }),
    createTable: async (table, layout) => {
      await store.createTable(table, layout);
      await pool.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${APP_ACCOUNT}`);
    },
  };
}

export function postgresIncidentStore({ url, pool }: TestDatabase): IncidentStore {
  const count = async (sql: string, values: unknown[] = []) =>
    (await pool.query<{ count: number }>(sql, values)).rows[0]?.count ?? 0;
  return {
    port: Number(new URL(url).port),
    section: (port) => ({ kind: "postgres", url: Object.assign(new URL(url), { port: String(port) }).toString() }),
    pool,
    createTable: async (table, { ddl }) => void (await pool.query(ddl(table))),
    insert: (table, events) => insertEvents(pool, table, events),
    run: async (sql) => void (await pool.query(sql)),
    now: async () => (await pool.query<{ at: Date }>("SELECT clock_timestamp() AS at")).rows[0]?.at.toISOString() ?? "",
    count: (table, where) => count(`SELECT count(*)::int AS count FROM ${table} WHERE ${where}`),
    countUnmarked: (table, ids) =>
      count(`SELECT count(*)::int AS count FROM ${table} WHERE id = ANY($1) AND published_at IS NULL`, [ids]),
    ownedBy: async (pid) => (await pool.query<{ outbox: string }>(OWNED, [pid])).rows.map(({ outbox }) => outbox),
    isPaused: async (outbox) => (await count(PAUSED, [outbox])) > 0,
    lockRows: async (applicationName, table, ids) => {
      const session = await ForeignSession.open(url, applicationName);
      await session.query(`SELECT id FROM ${table} WHERE id = ANY($1) FOR UPDATE`, [ids]);
      return session;
    },
    // Whoever has made the database drops it.
    close: async () => undefined,
  };
}
