import { randomUUID } from "node:crypto";
import mysql, { type RowDataPacket } from "mysql2/promise";
import { openStore } from "#db/stores/open-store.ts";
import { findMysqlProgram } from "#tests/mysql-servers/mysql-program.ts";
import { runServer } from "#tests/mysql-servers/run-server.ts";
import type { IncidentStore } from "./incident-store.ts";

export const DATABASE = "shop";
export const RELAY_ACCOUNT = "outbox_console@'%'";

/** As docs/stores.md lists them for every mode, the log included; those of a table come with the table. */
const PREPARE = `
CREATE USER ${RELAY_ACCOUNT};
GRANT SELECT ON ${DATABASE}.* TO ${RELAY_ACCOUNT};
GRANT PROCESS, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO ${RELAY_ACCOUNT};
GRANT SELECT ON performance_schema.* TO ${RELAY_ACCOUNT};
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, REFERENCES ON outbox_console.* TO ${RELAY_ACCOUNT}`;
const OWNED = "SELECT outbox FROM outbox_console.relay_instance WHERE pid = ? AND state IN ('owner', 'paused')";
const PAUSED = `SELECT count(*) AS count FROM outbox_console.relay_instance
  WHERE outbox = ? AND state = 'paused' AND heartbeat_at > UTC_TIMESTAMP(6) - INTERVAL 5 SECOND`;

/** A MySQL server of its own. Throws MysqlUnavailable. */
export async function startMysqlIncidentStore(): Promise<IncidentStore> {
  const server = await runServer("mysql", await findMysqlProgram(() => undefined));
  const urlOf = (user: string, port: string) =>
    Object.assign(new URL(server.url), { username: user, port, pathname: `/${DATABASE}` }).toString();
  const { port } = new URL(server.url);
  const options = { uri: urlOf("root", port), timezone: "Z", multipleStatements: true };
  const admin = await mysql.createConnection({ ...options, uri: server.url });
  await admin.query(`CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4`);
  const own = await openStore({ kind: "mysql", name: "shop", url: urlOf("root", port), applicationName: "incidents" });
  await own.migrate().finally(() => own.close());
  await admin.query(PREPARE);
  await admin.end();
  const pool = mysql.createPool(options);
  pool.on("connection", (connection) => void connection.query("SET time_zone = '+00:00'"));
  const rows = async (sql: string, values: unknown[] = []) =>
    (await pool.query<(RowDataPacket & Record<string, unknown>)[]>(sql, values))[0];
  const count = async (sql: string, values: unknown[] = []) => Number((await rows(sql, values))[0]?.count);
  return {
    port: Number(port),
    section: (through) => ({ kind: "mysql", url: urlOf("outbox_console", String(through)) }),
    get pool(): never {
      throw new Error("This stack is over MySQL.");
    },
    createTable: async (table, { ddl }) => {
      await pool.query(`${ddl(table)}; GRANT INSERT, UPDATE, DELETE ON ${DATABASE}.${table} TO ${RELAY_ACCOUNT}`);
    },
    insert: async (table, events) => {
      const inserted = events.map((event) => ({ id: randomUUID(), ...event }));
      const values = inserted.map(({ id, aggregateId, eventType, ageSeconds = 0, dueInSeconds }) => [
        ...[id, aggregateId.split("-")[0], aggregateId, eventType, JSON.stringify({ aggregate: aggregateId })],
        ...[ageSeconds, dueInSeconds ?? null],
      ]);
      const row = "(?, ?, ?, ?, ?, UTC_TIMESTAMP(6) - INTERVAL ? SECOND, UTC_TIMESTAMP(6) + INTERVAL ? SECOND)";
      await pool.query(
        `INSERT INTO ${table} (id, aggregate_type, aggregate_id, event_type, payload, created_at, available_at)
         VALUES ${values.map(() => row).join(", ")}`,
        values.flat(),
      );
      return inserted.map(({ id }) => id);
    },
    run: async (sql) => void (await pool.query(sql)),
    now: async () => {
      const [row] = await rows("SELECT DATE_FORMAT(UTC_TIMESTAMP(6), '%Y-%m-%dT%H:%i:%s.%fZ') AS at");
      return new Date(String(row?.at)).toISOString();
    },
    count: (table, where) => count(`SELECT count(*) AS count FROM ${table} WHERE ${where}`),
    countUnmarked: async (table, ids) =>
      ids.length === 0
        ? 0
        : count(`SELECT count(*) AS count FROM ${table} WHERE id IN (?) AND published_at IS NULL`, [ids]),
    ownedBy: async (pid) => (await rows(OWNED, [pid])).map(({ outbox }) => String(outbox)),
    isPaused: async (outbox) => (await count(PAUSED, [outbox])) > 0,
    lockRows: async (applicationName, table, ids) => {
      const session = await mysql.createConnection({
        ...options,
        connectAttributes: { program_name: applicationName },
      });
      session.on("error", () => undefined);
      // At REPEATABLE READ it would lock the places between rows too, and producers' inserts would wait.
      await session.query("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
      await session.query("START TRANSACTION");
      await session.query(`SELECT id FROM ${table} WHERE id IN (?) FOR UPDATE`, [ids]);
      return { end: async () => session.destroy() };
    },
    close: async () => {
      await pool.end();
      await server.remove();
    },
  };
}
