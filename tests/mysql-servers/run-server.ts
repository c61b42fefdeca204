import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import mysql from "mysql2/promise";
import { choosePorts } from "../brokers/choose-ports.ts";
import { startWatched, watchFolder } from "../brokers/watched-process.ts";
import { waitFor } from "../wait-for.ts";
import type { MysqlFlavor, ServerProgram } from "./server-program.ts";

export interface OwnServer {
  url: string;
  /** Folder of its data and its log. */
  folder: string;
  isRunning(): boolean;
  /** Shuts it down or kills it, and restarts it on the same data and port after `downMs`. `more`: further settings. */
  restart(how?: { kill?: boolean; downMs?: number; more?: readonly string[] }): Promise<void>;
  remove(): Promise<void>;
}

const READY_WITHIN_MS = 60_000;
const ATTEMPTS = 3;
const LOG_END_CHARACTERS = 4000;

/**
 * Runs a server in a new folder on a loopback port, with further settings; resolves once it answers. It ends with this
 * process.
 */
export async function runServer(
  flavor: MysqlFlavor,
  program: ServerProgram,
  settings: readonly string[] = [],
): Promise<OwnServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(flavor, program, settings);
    } catch (error) {
      // Another process may take the port between choosing it and listening on it.
      if (attempt === ATTEMPTS || !/in use/i.test(String(error))) throw error;
    }
  }
}

async function runOnce(flavor: MysqlFlavor, program: ServerProgram, settings: readonly string[]): Promise<OwnServer> {
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
    const url = `${flavor}://root@127.0.0.1:${port}/`;
    const start = async (more: readonly string[] = []) => {
      const { file, args } = program.command(place);
      const process = await startWatched({ file, args: [...args, ...settings, ...more] }, { folder, logFile, watcher });
      stop.now = async () => {
        process.killGroup();
        await process.exited;
      };
      await waitFor(async () => process.hasExited() || (await answers(url)), {
        timeoutMs: READY_WITHIN_MS,
        message: `${flavor} answers`,
      });
      if (process.hasExited()) throw new Error(`${flavor} ended while it started.`);
      return process;
    };
    let running = await start();
    const restart: OwnServer["restart"] = async ({ kill = false, downMs = 0, more = [] } = {}) => {
      if (kill) running.killGroup();
      else running.terminate();
      await running.exited;
      await delay(downMs);
      running = await start(more);
    };
    return { url, folder, isRunning: () => !running.hasExited(), restart, remove };
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
