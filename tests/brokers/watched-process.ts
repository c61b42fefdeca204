import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { runWhenOwnerIsGone, type Watcher } from "./watch-owner.ts";

export type Command = { file: string; args: string[]; env?: Record<string, string> };

export type WatchedProcess = {
  /** Resolves when it has ended, for whatever reason. */
  exited: Promise<void>;
  hasExited(): boolean;
  /** SIGTERM to the process itself. */
  terminate(): void;
  /** SIGKILL to it and to everything it has started. */
  killGroup(): void;
};

const NO_GROUP = "none";

/** Kills the group it was last told of, if any still runs, and removes the folder. */
export function watchFolder(folder: string): Watcher {
  return runWhenOwnerIsGone(`[ "\${told:-${NO_GROUP}}" = ${NO_GROUP} ] || kill -9 "-$told"; rm -rf -- "$1"`, [folder]);
}

/**
 * A process in a group of its own, so that Ctrl-C in the terminal does not reach it before we stop it. The watcher ends it
 * when we die without a word.
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
  watcher.tell(String(group));
  let over = false;
  const exited = once(child, "exit").then(() => {
    over = true;
    // What it has started may live on; and once the group is empty its number may be given to another.
    killGroup(group);
    watcher.tell(NO_GROUP);
  });
  return {
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
