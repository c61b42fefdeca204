import mysql from "mysql2/promise";
import { DATABASE } from "./mysql-tables.ts";

/** Settings of the run's own sessions, which are those of a superuser. */
export function sessionOptions(serverUrl: string): mysql.PoolOptions {
  const uri = Object.assign(new URL(serverUrl.replace(/^mariadb:/, "mysql:")), { pathname: `/${DATABASE}` });
  return { uri: uri.toString(), timezone: "Z", charset: "UTF8MB4_BIN" };
}

/** In UTC, at the server's own isolation level. */
export async function openSession(serverUrl: string): Promise<mysql.Connection> {
  const connection = await mysql.createConnection(sessionOptions(serverUrl));
  connection.on("error", () => undefined);
  await connection.query("SET time_zone = '+00:00'");
  return connection;
}
