import { spawn } from "node:child_process";
import { constants } from "node:os";
import { FOLDER } from "./project.mjs";

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

/** @type {NodeJS.Signals | null} */
let stoppedBy = null;

/** Ends all programs that `runCommand` runs, and prevents further runs; for signal handlers. */
export function stopCommands(signal = "SIGTERM") {
  stoppedBy ??= signal;
  for (const child of running) child.kill(signal);
}

/**
 * Forwards a signal to all programs that `runCommand` runs, without ending the run.
 * @param {NodeJS.Signals} signal
 */
export function passOn(signal) {
  for (const child of running) child.kill(signal);
}

/**
 * Runs a program in the folder of the configuration with this terminal.
 * @param {string} file
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined> }} [options]
 * @returns {Promise<number>} its exit code; 128 plus the signal's number if a signal ended it
 */
export async function runCommand(file, args, { env = {} } = {}) {
  if (stoppedBy !== null) return 128 + constants.signals[stoppedBy];
  const child = spawn(file, args, { cwd: FOLDER, env: { ...process.env, ...env }, stdio: "inherit" });
  return ended(child);
}

/**
 * Runs a program and returns its whole output without printing it. Meanwhile `onTick` is called every 5 s.
 * @param {string} file
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, onTick?: (seconds: number) => void }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function captureCommand(file, args, { env = {}, onTick } = {}) {
  const child = spawn(file, args, { cwd: FOLDER, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const startedAt = Date.now();
  const ticking = setInterval(() => onTick?.(Math.round((Date.now() - startedAt) / 1000)), 5_000);
  try {
    return { code: await ended(child), output };
  } finally {
    clearInterval(ticking);
  }
}

/** @param {import("node:child_process").ChildProcess} child */
function ended(child) {
  running.add(child);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  }).finally(() => running.delete(child));
}
