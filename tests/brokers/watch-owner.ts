import { spawn } from "node:child_process";
import type { Writable } from "node:stream";

export type Watcher = {
  /** Sets $last for the script. */
  pass(word: string): void;
  callOff(): void;
};

/**
 * Runs a shell script once this process is gone for any reason: the watcher reads from a pipe that closes with it. The
 * script finds `args` as $1, $2 ...
 */
export function runWhenOwnerIsGone(script: string, args: string[]): Watcher {
  const untilWeAreGone = "last=; while read -r word; do last=$word; done";
  const watcher = spawn("/bin/sh", ["-c", `${untilWeAreGone}; ${script}`, "watcher", ...args], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.unref();
  const pipe = watcher.stdin as Writable & { unref(): void };
  pipe.unref();
  pipe.on("error", () => undefined);
  return { pass: (word) => void pipe.write(`${word}\n`), callOff: () => void watcher.kill("SIGKILL") };
}
