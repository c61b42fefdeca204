// Plain JavaScript because scripts/start.mjs needs it on Node 20, before anything is installed.
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/**
 * Start time of a process as an opaque string, or null when it is gone or a zombie. A pid alone is not enough: pids are
 * reused, and a killed container keeps zombies that nobody reaps.
 * @param {number} pid
 * @returns {string | null}
 */
export function readProcessStart(pid) {
  return process.platform === "linux" ? readLinuxStart(pid) : readPsField(pid, "lstart");
}

/**
 * @param {{ pid: number, startedAt: string | null }} identity as recorded earlier
 * @returns {boolean} whether that same process still runs
 */
export function isSameProcess({ pid, startedAt }) {
  return startedAt !== null && readProcessStart(pid) === startedAt;
}

/**
 * File name of the program that a process runs, or null when it is gone or unknown.
 * @param {number} pid
 * @returns {string | null}
 */
export function readProcessProgram(pid) {
  if (process.platform !== "linux") {
    const command = readPsField(pid, "comm");
    return command === null ? null : basename(command);
  }
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ""));
  } catch {
    return null;
  }
}

/** @param {number} pid */
function readLinuxStart(pid) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return null;
  }
  // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, startTicks] = [fields[0], fields[19]];
  return state === "Z" || state === "X" || startTicks === undefined ? null : startTicks;
}

/**
 * @param {number} pid
 * @param {"lstart" | "comm"} field
 */
function readPsField(pid, field) {
  try {
    const [state, ...rest] = execFileSync("ps", ["-o", `state=,${field}=`, "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, LC_ALL: "C" },
    })
      .trim()
      .split(/\s+/);
    return state === undefined || state.startsWith("Z") ? null : rest.join(" ") || null;
  } catch {
    return null;
  }
}
