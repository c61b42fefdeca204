import { execFile } from "node:child_process";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../brokers/find-program.ts";
import { mavenMysql } from "./maven-mysql.ts";
import { type ServerPlace, type ServerProgram, settingsOf } from "./server-program.ts";

const run = promisify(execFile);

/** The machine's own MySQL 8, or without one that of a jar. Throws MysqlUnavailable. */
export async function findMysqlProgram(onProgress: (sentence: string) => void): Promise<ServerProgram> {
  const installed = findProgram("mysqld");
  if (installed && (await isMysql(installed))) return programOf(installed, []);
  const home = await mavenMysql(onProgress);
  return programOf(join(home, "bin", "mysqld"), [`--basedir=${home}`, `--lc-messages-dir=${join(home, "share")}`]);
}

/** MariaDB installs a program of that name too; 5.7 has no window functions. */
async function isMysql(file: string): Promise<boolean> {
  const { stdout } = await run(file, ["--version"]).catch(() => ({ stdout: "" }));
  return !/mariadb/i.test(stdout) && /Ver ([89]|\d\d)\./.test(stdout);
}

function programOf(file: string, home: string[]): ServerProgram {
  const common = ({ folder }: ServerPlace) => [
    "--no-defaults",
    ...home,
    `--user=${userInfo().username}`,
    `--datadir=${join(folder, "data")}`,
  ];
  return {
    prepare: async (place) =>
      void (await run(file, [...common(place), `--tmpdir=${place.temporary}`, "--initialize-insecure"])),
    command: (place) => ({
      file,
      args: [
        ...common(place),
        ...settingsOf(place),
        "--mysqlx=OFF",
        "--performance-schema-instrument=memory/%=OFF",
        "--server-id=1",
        "--gtid-mode=ON",
        "--enforce-gtid-consistency=ON",
        "--default-authentication-plugin=mysql_native_password",
      ],
    }),
  };
}
