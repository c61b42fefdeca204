import { execFile } from "node:child_process";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../brokers/find-program.ts";
import { MysqlUnavailable, type ServerProgram, settingsOf } from "./server-program.ts";

const run = promisify(execFile);

/** The machine's own MariaDB. Throws MysqlUnavailable. */
export function findMariadbProgram(): ServerProgram {
  const server = findProgram("mariadbd");
  const install = findProgram("mariadb-install-db");
  if (server === null || install === null)
    throw new MysqlUnavailable("there is no mariadbd, or no mariadb-install-db, on this machine");
  const user = `--user=${userInfo().username}`;
  return {
    prepare: async ({ folder, temporary }) => {
      const without = ["--skip-test-db", "--skip-name-resolve", "--auth-root-authentication-method=normal"];
      await run(install, [
        "--no-defaults",
        user,
        `--datadir=${join(folder, "data")}`,
        `--tmpdir=${temporary}`,
        ...without,
      ]);
    },
    command: (place) => ({
      file: server,
      args: [
        "--no-defaults",
        user,
        `--datadir=${join(place.folder, "data")}`,
        ...settingsOf(place),
        "--server-id=2",
        "--gtid-strict-mode=ON",
        // Off by default in MariaDB; only this shows the holder of a table's lock.
        "--performance-schema=ON",
        "--performance-schema-instrument=wait/lock/metadata/sql/mdl=ON",
      ],
    }),
  };
}
