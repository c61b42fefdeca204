import { type Connection, type ConnectionOptions, createConnection, createPool } from "mysql2";
import type { Pool, Connection as Session } from "mysql2/promise";
import { connectionOptions } from "#db/stores/mysql/connection/connection-string.ts";

/**
 * Strict: a value that does not fit is an error. The server's own modes would change how the driver must quote, and its
 * zone what a time means. REPEATABLE READ would lock the gaps between rows, and with them the inserts of other
 * sessions.
 */
const SETTINGS = [
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', time_zone = '+00:00'",
  "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
];

export function openPool(url: string, name: string, max: number): Pool {
  const pool = createPool({ ...driverOptions(url, name), connectionLimit: max });
  pool.on("connection", prepare);
  return pool.promise();
}

export async function openSession(url: string, name: string): Promise<Session> {
  const connection = createConnection(driverOptions(url, name));
  // Without a listener the event would end the process; the next statement fails with the same error.
  connection.on("error", () => undefined);
  await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
  prepare(connection);
  return connection.promise();
}

function driverOptions(url: string, name: string): ConnectionOptions {
  return {
    ...connectionOptions(url),
    charset: "utf8mb4",
    connectTimeout: 5_000,
    supportBigNumbers: true,
    bigNumberStrings: true,
    // The session's name in performance_schema.session_connect_attrs.
    connectAttributes: { program_name: name },
  };
}

/** The connection runs these before any other statement; one that refuses them is not used. */
function prepare(connection: Connection): void {
  for (const sql of SETTINGS) {
    connection.query(sql, (error) => {
      if (error) connection.destroy();
    });
  }
}
