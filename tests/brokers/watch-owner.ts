import { spawn } from "node:child_process";

export type Watcher = { callOff(): void };

/**
 * Runs a shell script when this process is gone, however it went: the watcher reads from a pipe that our end closes.
 * The script finds `args` as $1, $2 ...
 */
export function runWhenOwnerIsGone(script: string, args: string[]): Watcher {
  const watcher = spawn("/bin/sh", ["-c", `cat >/dev/null; ${script}`, "watcher", ...args], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.unref();
  const pipe = watcher.stdin as unknown as { unref(): void; on(event: "error", listener: () => void): void };
  pipe.unref();
  pipe.on("error", () => undefined);
  return { callOff: () => void watcher.kill("SIGKILL") };
}
