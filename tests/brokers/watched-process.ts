import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { runWhenOwnerIsGone } from "./watch-owner.ts";

export type Command = { file: string; args: string[]; env?: Record<string, string> };

export type WatchedProcess = {
  pid: number;
  /** Resolves when it has ended, for whatever reason. */
  exited: Promise<void>;
  hasExited(): boolean;
  /** SIGTERM to the process itself. */
  terminate(): void;
  /** SIGKILL to it and to everything it has started. */
  killGroup(): void;
};

const KILL_GROUP_AND_REMOVE_FOLDER = 'kill -9 "-$1"; rm -rf -- "$2"';

/**
 * A process in a group of its own, so that Ctrl-C in the terminal does not reach it before we stop it, with a watcher that
 * kills the group and removes its folder when we die without a word.
 */
export async function startWatched(command: Command, folder: string, logFile: string): Promise<WatchedProcess> {
  const log = openSync(logFile, "a");
  const child = spawn(command.file, command.args, {
    cwd: folder,
    env: { ...process.env, ...command.env },
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  await once(child, "spawn");
  const pid = child.pid as number;
  const watcher = runWhenOwnerIsGone(KILL_GROUP_AND_REMOVE_FOLDER, [String(pid), folder]);
  const exited = child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, "exit");
  let over = false;
  const ended = exited.then(() => {
    over = true;
  });
  return {
    pid,
    exited: ended,
    hasExited: () => over,
    terminate: () => child.kill("SIGTERM"),
    killGroup: () => {
      // First the watcher: once the group is empty its number may be given to another.
      watcher.callOff();
      signalGroup(pid);
    },
  };
}

function signalGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
