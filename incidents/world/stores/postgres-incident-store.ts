import type { TestDatabase } from "#tests/test-database.ts";
import { ForeignSession } from "../foreign-session.ts";
import { insertEvents } from "../outbox-table.ts";
import type { IncidentStore } from "./incident-store.ts";

const OWNED = "SELECT outbox FROM outbox_console.relay_instance WHERE pid = $1 AND state IN ('owner', 'paused')";
const PAUSED = `SELECT count(*)::int AS count FROM outbox_console.relay_instance
  WHERE outbox = $1 AND state = 'paused' AND heartbeat_at > clock_timestamp() - interval '5 seconds'`;

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
