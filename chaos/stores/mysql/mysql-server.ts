import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { findMariadbProgram } from "#tests/mysql-servers/mariadb-program.ts";
import { findMysqlProgram } from "#tests/mysql-servers/mysql-program.ts";
import { runServer } from "#tests/mysql-servers/run-server.ts";
import type { MysqlFlavor } from "#tests/mysql-servers/server-program.ts";
import type { ChaosStore } from "../chaos-store.ts";
import { inTurn } from "../in-turn.ts";

export interface MysqlServer extends Pick<ChaosStore, "restart"> {
  /** Of its superuser; names no database. */
  url: string;
  port: number;
  stop(): Promise<void>;
}

/**
 * Commits are written to the operating system at once, so they survive the death of the server, but not of the machine.
 */
const SETTINGS = ["--innodb-flush-log-at-trx-commit=2"];

/** @throws MysqlUnavailable */
export async function startMysqlServer(
  flavor: MysqlFlavor,
  { folder, say }: { folder: string; say: (line: string) => void },
): Promise<MysqlServer> {
  const program = flavor === "mysql" ? await findMysqlProgram(say) : findMariadbProgram();
  const server = await runServer(flavor, program, SETTINGS);
  const turns = inTurn();
  return {
    url: server.url,
    port: Number(new URL(server.url).port),
    restart: (how, downMs) => turns.run(() => server.restart({ kill: how === "kill", downMs })),
    stop: async () => {
      await turns.idle();
      await copyFile(join(server.folder, "output.log"), join(folder, `${flavor}.log`)).catch(() => undefined);
      await server.remove();
    },
  };
}
