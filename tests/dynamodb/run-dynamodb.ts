import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { choosePorts } from "../brokers/choose-ports.ts";
import { type Command, startWatched, watchFolder } from "../brokers/watched-process.ts";
import { waitFor } from "../wait-for.ts";

/** This machine cannot run the server. */
export class DynamodbUnavailable extends Error {
  override readonly name = "DynamodbUnavailable";
}

export interface DynamodbServer {
  /** HTTP endpoint. Any credentials are accepted. */
  url: string;
  folder: string;
  pid(): number;
  isRunning(): boolean;
  /** Kills it and restarts it on its port after `downMs`, with its stored data; only with `keeps`. */
  restart(downMs?: number): Promise<void>;
  remove(): Promise<void>;
}

export interface DynamodbProgram {
  command(place: { port: number; folder: string }): Command;
}

const PROGRAM = join(import.meta.dirname, "../../node_modules/@dynoxide/linux-x64/dynoxide");
const READY_WITHIN_MS = 30_000;
const ATTEMPTS = 3;

/**
 * Runs a server that speaks DynamoDB's protocol on a loopback port, in memory, or with `keeps` on disk. Throws
 * DynamodbUnavailable.
 */
export async function runDynamodb({ keeps = false } = {}): Promise<DynamodbServer> {
  if (!existsSync(PROGRAM)) throw new DynamodbUnavailable("npm has no @dynoxide package for this machine");
  return runDynamodbProgram({
    command: ({ port, folder }) => {
      const disk = keeps ? ["--db-path", join(folder, "tables.db")] : [];
      return { file: PROGRAM, args: ["serve", "--host", "127.0.0.1", "--port", String(port), ...disk] };
    },
  });
}

/** The same with another program. */
export async function runDynamodbProgram(program: DynamodbProgram): Promise<DynamodbServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(program);
    } catch (error) {
      // Another process may take the port between choosing it and listening on it.
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function runOnce(program: DynamodbProgram): Promise<DynamodbServer> {
  const folder = await mkdtemp(join(tmpdir(), "outbox-console-dynamodb-"));
  const [port = 0] = await choosePorts(1);
  const watcher = watchFolder(folder);
  const logFile = join(folder, "output.log");
  const start = () => startWatched(program.command({ port, folder }), { folder, logFile, watcher });
  let running = await start();
  const remove = async () => {
    running.killGroup();
    await running.exited;
    watcher.callOff();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const url = `http://127.0.0.1:${port}`;
  const untilReady = async () => {
    await waitFor(async () => running.hasExited() || (await answers(url)), {
      timeoutMs: READY_WITHIN_MS,
      message: "the DynamoDB server answers",
    });
    if (running.hasExited()) throw new Error("It ended while it started.");
  };
  const restart = async (downMs = 0) => {
    running.killGroup();
    await running.exited;
    await delay(downMs);
    running = await start();
    await untilReady();
  };
  try {
    await untilReady();
    return { url, folder, pid: () => running.pid, isRunning: () => !running.hasExited(), restart, remove };
  } catch (error) {
    const log = await readFile(logFile, "utf8").catch(() => "");
    await remove();
    throw new Error(`The DynamoDB server did not start. Its log:\n${log}`, { cause: error });
  }
}

/** Any answer counts, because it refuses requests without a signature. */
async function answers(url: string): Promise<boolean> {
  await fetch(url, { method: "POST" });
  return true;
}
