import { spawn } from "node:child_process";
import type { Writable } from "node:stream";

export type Watcher = {
  /** The script finds the last word that it was told in $told. */
  tell(word: string): void;
  callOff(): void;
};

/**
 * Runs a shell script when this process is gone, however it went: the watcher reads from a pipe that our end closes.
 * The script finds `args` as $1, $2 ...
 */
export function runWhenOwnerIsGone(script: string, args: string[]): Watcher {
  const untilWeAreGone = "told=; while read -r word; do told=$word; done";
  const watcher = spawn("/bin/sh", ["-c", `${untilWeAreGone}; ${script}`, "watcher", ...args], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.unref();
  const pipe = watcher.stdin as Writable & { unref(): void };
  pipe.unref();
  pipe.on("error", () => undefined);
  return { tell: (word) => void pipe.write(`${word}\n`), callOff: () => void watcher.kill("SIGKILL") };
}
