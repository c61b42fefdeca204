import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ClusterPaths, ClusterState } from "./cluster-files.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { isSameProcess, readProcessProgram, readProcessStart } from "./process-identity.mjs";
import { stopServer } from "./stop-server.ts";

/**
 * Leaves the data folder without a server and without a stale lock file, however the last start ended. Throws if the
 * server's owner is alive. Stops an orphaned server. Removes the lock file of a dead server, also if its pid now
 * belongs to another program.
 */
export async function clearPreviousServer(paths: ClusterPaths, state: ClusterState): Promise<void> {
  const ownedElsewhere = state.owner !== null && state.owner.pid !== process.pid && isSameProcess(state.owner);
  if (ownedElsewhere) throw inUse(paths, state);
  const lockFile = join(paths.data, "postmaster.pid");
  const pid = await readLockPid(lockFile);
  if (pid === null) return;
  if (readProcessStart(pid) !== null && readProcessProgram(pid) === "postgres") {
    if (state.owner?.pid === process.pid && isSameProcess(state.owner)) throw inUse(paths, state);
    await stopServer(pid);
  }
  await rm(lockFile, { force: true });
}

function inUse(paths: ClusterPaths, state: ClusterState): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "already_running",
    `The embedded Postgres in ${paths.root} is in use by process ${state.owner?.pid}. Stop that first, or choose another data folder.`,
  );
}

async function readLockPid(lockFile: string): Promise<number | null> {
  try {
    const [firstLine] = (await readFile(lockFile, "utf8")).split("\n");
    const pid = Number(firstLine);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
