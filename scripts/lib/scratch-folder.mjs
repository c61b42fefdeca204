import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** Free memory from which tests write to it. */
const ENOUGH_BYTES = 8 * 1024 ** 3;

/**
 * A folder for everything that tests write, in memory where there is plenty: a Postgres database has a thousand files, and
 * creating them on a disk costs ten times the processor time.
 * @returns {{ path: string, remove(): void }}
 */
export function createScratchFolder() {
  const path = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), "outbox-console-npm-test-"));
  // Database servers run as another user, and must reach their folders in it.
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function hasMemory() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) > ENOUGH_BYTES;
  } catch {
    return false;
  }
}
