import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isSameProcess, readProcessStart } from "../../db/embedded/process-identity.mjs";
import { Sentence } from "./stop-with-sentence.mjs";

/**
 * @typedef {{ pid: number, startedAt: string | null }} ProcessIdentity
 * @typedef {{ starter: ProcessIdentity, address: string, children: Record<string, ProcessIdentity> }} RunFile
 */

const LEFTOVER_MS = 15_000;
const DISK_TROUBLES = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO"]);

/**
 * Takes the folder for this start; only one start may use it at a time. First stops the processes that a killed start
 * left running, the supervisor before its children, because it stops them in order.
 * @param {string} folder
 * @param {string} address
 * @returns {Promise<string>} the path of the run file
 */
export async function takeRunFile(folder, address) {
  const path = join(folder, "run.json");
  makeFolder(folder);
  const mine = { starter: identify(process.pid), address, children: {} };
  while (true) {
    try {
      writeFileSync(path, JSON.stringify(mine, null, 2), { flag: "wx", mode: 0o600 });
      return path;
    } catch (error) {
      if (error.code !== "EEXIST") throw explain(error, folder);
    }
    const previous = readRunFile(path) ?? (await readAgain(path));
    if (previous !== null && isSameProcess(previous.starter)) {
      throw new Sentence(
        `Outbox Console already runs from this folder (process ${previous.starter.pid}, ${previous.address}). ` +
          "Stop it with Ctrl-C there, or use it as it is.",
      );
    }
    await stopLeftovers(previous?.children ?? {});
    removeIfSame(path, previous);
  }
}

/**
 * Removes the file of a killed start. Another start that waited for the same leftovers may have written its own by now:
 * the file is moved away before it is looked at, and put back if it is that one.
 * @param {string} path
 * @param {RunFile | null} previous
 */
function removeIfSame(path, previous) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === "ENOENT") return;
    throw error;
  }
  if (isSameFile(readRunFile(aside), previous)) return rmSync(aside, { force: true });
  renameSync(aside, path);
}

/** @param {RunFile | null} one @param {RunFile | null} other */
function isSameFile(one, other) {
  return one?.starter.pid === other?.starter.pid && one?.starter.startedAt === other?.starter.startedAt;
}

/** @returns {RunFile | null} null when there is none or it is not readable */
export function readRunFile(path) {
  try {
    const file = JSON.parse(readFileSync(path, "utf8"));
    return typeof file?.starter?.pid === "number" ? file : null;
  } catch {
    return null;
  }
}

/** Reads the file after a pause, because another start may be writing it. */
async function readAgain(path) {
  await delay(300);
  return readRunFile(path);
}

/**
 * Records the children that run now, replacing the previous record.
 * @param {string} path
 * @param {Record<string, number>} pids
 */
export function noteChildren(path, pids) {
  const file = readRunFile(path);
  if (file === null) return;
  file.children = Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, identify(pid)]));
  const draft = `${path}.new`;
  try {
    writeFileSync(draft, JSON.stringify(file, null, 2), { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    // The file serves the next start; running processes do not need it, and the next change rewrites it.
    if (!DISK_TROUBLES.has(error.code)) throw error;
  }
}

/** @param {number} pid */
function identify(pid) {
  return { pid, startedAt: readProcessStart(pid) };
}

/** @param {Record<string, ProcessIdentity>} children */
async function stopLeftovers(children) {
  for (const [name, child] of Object.entries(children)) {
    if (!isSameProcess(child)) continue;
    console.log(`Stopping ${name}, left over from a start that was killed (process ${child.pid}) ...`);
    signal(child.pid, "SIGTERM");
    const deadline = Date.now() + LEFTOVER_MS;
    while (isSameProcess(child) && Date.now() < deadline) await delay(50);
    if (isSameProcess(child)) signal(child.pid, "SIGKILL");
  }
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

function makeFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw explain(error, folder);
  }
}

function explain(error, folder) {
  if (error.code === "ENOSPC" || error.code === "EDQUOT") {
    return new Sentence(`There is no disk space left in ${folder}. Free some and start again.`);
  }
  if (error.code === "EROFS") {
    return new Sentence(`${folder} is on a read-only file system. Name another folder in OUTBOX_DATA_DIR.`);
  }
  if (error.code === "EACCES" || error.code === "EPERM") {
    return new Sentence(
      `This user may not write to ${folder}. Change its owner, or name another folder in OUTBOX_DATA_DIR.`,
    );
  }
  return error;
}
