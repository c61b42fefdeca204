import { join } from "node:path";
import type { Command } from "../brokers/watched-process.ts";

export type MysqlFlavor = "mysql" | "mariadb";
export const MYSQL_FLAVORS: readonly MysqlFlavor[] = ["mysql", "mariadb"];

/** This machine has no such server, and cannot get one. */
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
 * Test data may be lost in a crash: nothing is synced. The binary log is written as a reader of it needs it, and users
 * have a password or none.
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
  // An index of pages in memory, which each DROP TABLE searches.
  "--innodb-adaptive-hash-index=OFF",
];

/** Settings of either server, in its place. */
export function settingsOf({ folder, temporary, port }: ServerPlace): string[] {
  return [
    ...SETTINGS,
    `--port=${port}`,
    `--socket=${join(folder, "s.sock")}`,
    `--pid-file=${join(folder, "server.pid")}`,
    `--tmpdir=${temporary}`,
  ];
}
