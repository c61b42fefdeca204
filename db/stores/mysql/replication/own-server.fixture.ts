import mysql from "mysql2/promise";
import { findMariadbProgram } from "#tests/mysql-servers/mariadb-program.ts";
import { findMysqlProgram } from "#tests/mysql-servers/mysql-program.ts";
import { type OwnServer, runServer } from "#tests/mysql-servers/run-server.ts";
import type { MysqlFlavor } from "#tests/mysql-servers/server-program.ts";
import { migrateStoreSide } from "../own-schema/migrate.ts";
import { CREATE_BOX } from "../relay/box.fixture.ts";
import type { LogDatabase } from "./log-box.fixture.ts";

/** A server of a test's own, whose settings and log files the test may change. */
export interface LogServer extends LogDatabase {
  server: OwnServer;
  /** Rows of the last statement as objects, on a new connection. */
  query(...statements: string[]): Promise<Record<string, unknown>[]>;
  /** An empty table "box". */
  newBox(): Promise<void>;
}

/** Throws MysqlUnavailable. */
export async function startLogServer(flavor: MysqlFlavor): Promise<LogServer> {
  const program = flavor === "mysql" ? await findMysqlProgram(() => undefined) : findMariadbProgram();
  const server = await runServer(flavor, program);
  const [name, own] = ["shop", { database: "outbox_console" }];
  const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).toString();
  const onServer = async (uri: string, statements: readonly string[]) => {
    const connection = await mysql.createConnection({ uri: uri.replace(/^\w+:/, "mysql:"), multipleStatements: true });
    try {
      let rows: unknown = [];
      for (const statement of statements) [rows] = await connection.query(statement);
      return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
    } finally {
      await connection.end();
    }
  };
  await onServer(server.url, [`CREATE DATABASE ${name}`]);
  await migrateStoreSide(url, own);
  const query = (...statements: string[]) => onServer(url, statements);
  return {
    ...{ server, url, name, own, query },
    newBox: async () => {
      const tables = ["binlog_reader", "lease", "claim", "relay_instance"].map(
        (table) => `DELETE FROM ${own.database}.${table}`,
      );
      await query("DROP TABLE IF EXISTS box", CREATE_BOX, ...tables);
    },
  };
}
