import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { runWhenOwnerIsGone, type Watcher } from "./watch-owner.ts";

export type Command = { file: string; args: string[]; env?: Record<string, string> };

export type WatchedProcess = {
  pid: number;
  /** Resolves when it has exited, for any reason. */
  exited: Promise<void>;
  hasExited(): boolean;
  /** SIGTERM to this process only. */
  terminate(): void;
  /** SIGKILL to it and all its children. */
  killGroup(): void;
};

const NO_GROUP = "none";

/** Kills the last known process group if it still runs, and removes the folder. */
export function watchFolder(folder: string): Watcher {
  return runWhenOwnerIsGone(`[ "\${last:-${NO_GROUP}}" = ${NO_GROUP} ] || kill -9 "-$last"; rm -rf -- "$1"`, [folder]);
}

/**
 * A process in a separate group, so that a terminal's Ctrl-C does not reach it before we stop it. The watcher kills it
 * when this process dies without stopping it.
 */
export async function startWatched(
  command: Command,
  { folder, logFile, watcher }: { folder: string; logFile: string; watcher: Watcher },
): Promise<WatchedProcess> {
  const log = openSync(logFile, "a");
  const child = spawn(command.file, command.args, {
    cwd: folder,
    env: { ...process.env, ...command.env },
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  if (child.pid === undefined) throw (await once(child, "error"))[0];
  const group = child.pid;
  watcher.pass(String(group));
  let over = false;
  const exited = once(child, "exit").then(() => {
    over = true;
    // Its children may still run; and once the group is empty, its id may be reused.
    killGroup(group);
    watcher.pass(NO_GROUP);
  });
  return {
    pid: group,
    exited,
    hasExited: () => over,
    terminate: () => child.kill("SIGTERM"),
    killGroup: () => {
      if (!over) killGroup(group);
    },
  };
}

function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
