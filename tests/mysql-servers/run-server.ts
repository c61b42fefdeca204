import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mysql from "mysql2/promise";
import { choosePorts } from "../brokers/choose-ports.ts";
import { startWatched, watchFolder } from "../brokers/watched-process.ts";
import { waitFor } from "../wait-for.ts";
import type { MysqlFlavor, ServerProgram } from "./server-program.ts";

export interface OwnServer {
  url: string;
  /** Of its data and its log. */
  folder: string;
  isRunning(): boolean;
  remove(): Promise<void>;
}

const READY_WITHIN_MS = 60_000;
const ATTEMPTS = 3;
const LOG_END_CHARACTERS = 4000;

/** Runs a server in a folder of its own on a loopback port; resolves once it answers. It goes with this process. */
export async function runServer(flavor: MysqlFlavor, program: ServerProgram): Promise<OwnServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(flavor, program);
    } catch (error) {
      // Another process may take the port between choosing it and listening on it.
      if (attempt === ATTEMPTS || !/in use/i.test(String(error))) throw error;
    }
  }
}

async function runOnce(flavor: MysqlFlavor, program: ServerProgram): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), `outbox-console-${flavor}-`));
  const [port = 0] = await choosePorts(1);
  const temporary = join(folder, "tmp");
  await mkdir(temporary);
  const place = { folder, temporary, port };
  const watcher = watchFolder(folder);
  const logFile = join(folder, "output.log");
  const stop: { now: () => Promise<void> } = { now: async () => undefined };
  const remove = async () => {
    await stop.now();
    watcher.callOff();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await program.prepare(place);
    const running = await startWatched(program.command(place), { folder, logFile, watcher });
    stop.now = async () => {
      running.killGroup();
      await running.exited;
    };
    const url = `${flavor}://root@127.0.0.1:${port}/`;
    await waitFor(async () => running.hasExited() || (await answers(url)), {
      timeoutMs: READY_WITHIN_MS,
      message: `${flavor} answers`,
    });
    if (running.hasExited()) throw new Error(`${flavor} ended while it started.`);
    return { url, folder, isRunning: () => !running.hasExited(), remove };
  } catch (error) {
    const log = await readFile(logFile, "utf8").catch(() => "");
    await remove();
    throw new Error(`${flavor} did not start. The end of its log:\n${log.slice(-LOG_END_CHARACTERS)}`, {
      cause: error,
    });
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const connection = await mysql.createConnection(url);
    await connection.end();
    return true;
  } catch {
    return false;
  }
}
