import { access, constants, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/** How to run a Postgres program: root is refused by Postgres itself, so there it runs as `nobody`, who is everywhere. */
export type ServerIdentity = { uid: number; gid: number } | null;
export type Command = { file: string; args: string[]; identity: ServerIdentity };

const NOBODY = { uid: 65534, gid: 65534 };

export function serverIdentity(): ServerIdentity {
  return process.getuid?.() === 0 ? NOBODY : null;
}

/**
 * `setpriv` (util-linux) lets the kernel stop the server when this process dies, however it dies. And where root's files lie
 * in a folder closed to others, such as /root, it hands down the one capability to read past that. Without `setpriv`
 * (macOS, Alpine) the server is started plainly and an orphan is found and stopped by the next start.
 */
export async function serverCommand(binary: string, args: string[], reachable: string[]): Promise<Command> {
  const identity = serverIdentity();
  const setpriv = await findSetpriv();
  const closed = identity === null ? null : await firstClosedFolder([binary, ...reachable]);
  if (setpriv === null) {
    if (closed !== null) throw closedFolder(closed);
    return { file: binary, args, identity };
  }
  const asNobody =
    identity === null ? [] : ["--reuid", String(identity.uid), "--regid", String(identity.gid), "--clear-groups"];
  const passThrough = closed === null ? [] : ["--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"];
  return {
    file: setpriv,
    args: [...asNobody, ...passThrough, "--pdeathsig", "SIGINT", "--", binary, ...args],
    identity: null,
  };
}

async function findSetpriv(): Promise<string | null> {
  if (process.platform !== "linux") return null;
  for (const folder of (process.env.PATH ?? "/usr/bin:/bin").split(":")) {
    const path = join(folder, "setpriv");
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    // BusyBox has a setpriv of the same name without these options.
    if (found && (await stat(path)).ino !== (await busyboxInode())) return path;
  }
  return null;
}

async function busyboxInode(): Promise<number | null> {
  return stat("/bin/busybox").then(
    (file) => file.ino,
    () => null,
  );
}

/** The first folder on the way to any of the paths that users other than its owner cannot pass. */
async function firstClosedFolder(paths: string[]): Promise<string | null> {
  for (const path of paths) {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      const { mode, uid } = await stat(folder);
      if (uid !== NOBODY.uid && (mode & 0o001) === 0) return folder;
    }
  }
  return null;
}

function closedFolder(folder: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "no_permission",
    `Postgres does not run as root, and other users cannot pass ${folder}. Move the project elsewhere, install setpriv (util-linux), or start as a normal user.`,
  );
}
