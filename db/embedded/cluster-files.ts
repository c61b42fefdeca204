import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, statfs, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beginAnew, EmbeddedPostgresError, explainFileError } from "./embedded-postgres-error.ts";

/** State kept between starts. `owner` is the process that started the server and must stop it. */
export type ClusterState = {
  password: string;
  port: number | null;
  owner: { pid: number; startedAt: string | null } | null;
};

export type ClusterPaths = { root: string; data: string; unfinished: string; state: string; log: string };

const LEAST_FREE_BYTES = 200 * 1024 * 1024;

export function clusterPaths(dataDir: string): ClusterPaths {
  const root = resolve(dataDir);
  return {
    root,
    data: join(root, "data"),
    unfinished: join(root, "data.unfinished"),
    state: join(root, "embedded.json"),
    log: join(root, "server.log"),
  };
}

/** Creates the folder. If we are root, the server runs as another user, who must be able to pass through it. */
export async function prepareRoot(paths: ClusterPaths): Promise<void> {
  try {
    await mkdir(paths.root, { recursive: true });
    await chmod(paths.root, process.getuid?.() === 0 ? 0o711 : 0o700);
    const disk = await statfs(paths.root);
    if (disk.bavail * disk.bsize < LEAST_FREE_BYTES) {
      throw new EmbeddedPostgresError(
        "no_space",
        `Less than 200 MB of disk space is left in ${paths.root}, which is too little for Postgres. Free some space and start again.`,
      );
    }
  } catch (error) {
    throw explainFileError(error, paths.root);
  }
}

/**
 * The password is random, in a file that only this user can read. Trusting every local connection would be simpler, but
 * every user of the machine can reach loopback, and a Postgres superuser can run programs.
 */
export async function readClusterState(paths: ClusterPaths): Promise<ClusterState> {
  try {
    const stored = JSON.parse(await readFile(paths.state, "utf8")) as Partial<ClusterState>;
    if (typeof stored.password === "string") {
      return { password: stored.password, port: stored.port ?? null, owner: stored.owner ?? null };
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      throw new EmbeddedPostgresError(
        "start_failed",
        `${paths.state}, which holds the password of the embedded Postgres, cannot be read. ${beginAnew(paths.root)}`,
        { cause: error },
      );
    }
  }
  return { password: randomBytes(24).toString("base64url"), port: null, owner: null };
}

export async function writeClusterState(paths: ClusterPaths, state: ClusterState): Promise<void> {
  const draft = `${paths.state}.${process.pid}`;
  try {
    await writeFile(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
    await rename(draft, paths.state);
  } catch (error) {
    throw explainFileError(error, paths.root);
  }
}
