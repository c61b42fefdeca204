import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** Free memory from which tests write to it. */
const ENOUGH_BYTES = 8 * 1024 ** 3;
const NAME = "outbox-console-npm-test";

/**
 * A folder for all files of the tests, in memory if enough is free: a Postgres database has a thousand files, and
 * creating them on a disk costs ten times the processor time.
 * @returns {{ path: string, remove(): void }}
 */
export function createScratchFolder() {
  removeStale(MEMORY);
  const path = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), `${NAME}-${process.pid}-`));
  // Database servers run as another user, and must reach their folders in it.
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Removes the folders of killed runs, because they occupy memory.
 * @param {string} folder
 */
export function removeStale(folder) {
  for (const name of namesIn(folder)) {
    const [, pid] = new RegExp(`^${NAME}-(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== "ESRCH";
  }
}

function hasMemory() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) > ENOUGH_BYTES;
  } catch {
    return false;
  }
}
