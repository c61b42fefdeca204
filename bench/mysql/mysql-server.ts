import { readFile } from "node:fs/promises";
import { join } from "node:path";
import mysql from "mysql2/promise";
import { openStore } from "#db/stores/open-store.ts";
import { findMariadbProgram } from "#tests/mysql-servers/mariadb-program.ts";
import { findMysqlProgram } from "#tests/mysql-servers/mysql-program.ts";
import { runServer } from "#tests/mysql-servers/run-server.ts";
import type { MysqlFlavor } from "#tests/mysql-servers/server-program.ts";
import { cpuMicrosOf } from "../server-cpu.ts";
import { MYSQL_TABLE, type MysqlTable, openMysqlTable } from "./mysql-table.ts";

/** A MySQL or MariaDB private to the benchmark. Its log is written at every commit, and its files are not synced. */
export interface MysqlServer {
  url: string;
  version: string;
  table: MysqlTable;
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
}

export async function startMysqlServer(flavor: MysqlFlavor): Promise<MysqlServer> {
  const program =
    flavor === "mysql" ? await findMysqlProgram((sentence) => console.error(sentence)) : findMariadbProgram();
  const server = await runServer(flavor, program);
  const connection = await mysql.createConnection({
    uri: server.url.replace(/^\w+:/, "mysql:"),
    multipleStatements: true,
  });
  await connection.query(
    "SET GLOBAL innodb_flush_log_at_trx_commit = 1; SET time_zone = '+00:00'; CREATE DATABASE bench; USE bench",
  );
  const url = `${server.url}bench`;
  const store = await openStore({ kind: "mysql", name: "bench", url, applicationName: "outbox-console bench" });
  await store.migrate();
  await store.close();
  const [rows] = await connection.query("SELECT version() AS version");
  const pid = Number(await readFile(join(server.folder, "server.pid"), "utf8"));
  return {
    url,
    version: String((rows as { version: string }[])[0]?.version),
    table: openMysqlTable(connection, MYSQL_TABLE),
    cpuMicros: () => cpuMicrosOf(pid),
    async stop() {
      await connection.end();
      await server.remove();
    },
  };
}
