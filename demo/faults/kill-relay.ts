import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isSameProcess } from "#db/embedded/process-identity.mjs";
import { AppError } from "#domain/errors.ts";
import type { FaultSwitch } from "./fault-board.ts";

interface ProcessIdentity {
  pid: number;
  startedAt: string | null;
}

const LOOK_EVERY_MS = 250;

/**
 * Kills the worker with SIGKILL, and any worker that appears later. While the file `worker.hold` exists next to the run
 * file, the supervisor does not start another. `runFile` is where `npm start` records its processes; undefined when the
 * demo was started otherwise.
 */
export function killRelay(runFile: string | undefined): FaultSwitch & { clear(): Promise<void> } {
  const hold = runFile === undefined ? null : join(dirname(runFile), "worker.hold");
  let watching: AbortController | null = null;
  let watch: Promise<void> = Promise.resolve();

  const keepDead = async (path: string, signal: AbortSignal) => {
    while (!signal.aborted) {
      await killWorkerOf(path);
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const clear = async () => {
    if (hold !== null) await rm(hold, { force: true });
  };

  return {
    begin: async () => {
      if (runFile === undefined || hold === null) {
        throw new AppError(
          "conflict",
          "Only a worker that `npm start` runs can be killed from here; this demo was started alone.",
        );
      }
      await writeFile(hold, "Remove this file to let the worker start again.\n");
      await killWorkerOf(runFile);
      watching = new AbortController();
      watch = keepDead(runFile, watching.signal);
    },
    end: async () => {
      watching?.abort();
      await watch;
      await clear();
    },
    /** Removes the hold file of a demo that was killed. */
    clear,
  };
}

/** Kills the process only if it is the recorded one, since pids are reused. */
async function killWorkerOf(runFile: string): Promise<void> {
  const worker = await readWorker(runFile);
  if (worker === null || !isSameProcess(worker)) return;
  try {
    process.kill(worker.pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Null when there is none, or while the file is being replaced. */
async function readWorker(runFile: string): Promise<ProcessIdentity | null> {
  try {
    const file = JSON.parse(await readFile(runFile, "utf8")) as { children?: Record<string, ProcessIdentity> };
    return file.children?.worker ?? null;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || error instanceof SyntaxError) return null;
    throw error;
  }
}
