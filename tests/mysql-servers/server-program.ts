import { join } from "node:path";
import type { Command } from "../brokers/watched-process.ts";

export type MysqlFlavor = "mysql" | "mariadb";
export const MYSQL_FLAVORS: readonly MysqlFlavor[] = ["mysql", "mariadb"];

/** This machine has no such server and cannot download one. */
export class MysqlUnavailable extends Error {
  override readonly name = "MysqlUnavailable";
}

export interface ServerPlace {
  folder: string;
  /** For temporary tables: a MariaDB that starts deletes those of others in the same folder. */
  temporary: string;
  port: number;
}

/** A program on this machine that runs such a server. */
export interface ServerProgram {
  /** Creates the system tables in an empty folder. */
  prepare(place: ServerPlace): Promise<void>;
  command(place: ServerPlace): Command;
}

/**
 * Nothing is synced, because test data may be lost in a crash. The binary log has the form that its readers need, and
 * users sign in with a password or without one.
 */
const SETTINGS = [
  "--bind-address=127.0.0.1",
  "--character-set-server=utf8mb4",
  "--max-connections=300",
  "--log-bin=binlog",
  "--binlog-format=ROW",
  "--binlog-row-image=FULL",
  "--binlog-row-metadata=FULL",
  "--sync-binlog=0",
  "--innodb-flush-log-at-trx-commit=0",
  "--innodb-flush-method=nosync",
  "--innodb-doublewrite=OFF",
  // Off: an index of pages in memory, which each DROP TABLE would search.
  "--innodb-adaptive-hash-index=OFF",
];

/** Common settings of both servers for one folder and port. */
export function settingsOf({ folder, temporary, port }: ServerPlace): string[] {
  return [
    ...SETTINGS,
    `--port=${port}`,
    `--socket=${join(folder, "s.sock")}`,
    `--pid-file=${join(folder, "server.pid")}`,
    `--tmpdir=${temporary}`,
  ];
}
