import { access, constants, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/**
 * How to run a Postgres program. Postgres refuses to run as root, so root runs it as `nobody`, which every system has.
 */
export type ServerIdentity = { uid: number; gid: number } | null;
export type Command = { file: string; args: string[]; identity: ServerIdentity };

const READ_SEARCH = "+dac_read_search";
const READ_SEARCH_BIT = 1n << 2n;
const NOBODY = { uid: 65534, gid: 65534 };

export function serverIdentity(): ServerIdentity {
  return process.getuid?.() === 0 ? NOBODY : null;
}

/**
 * With `setpriv` (util-linux) the kernel stops the server when this process dies in any way. If root's files are in a
 * folder closed to others, such as /root, `setpriv` also passes on the capability to read them. Without `setpriv`
 * (macOS, Alpine) the next start finds and stops an orphan.
 */
export async function serverCommand(binary: string, args: string[], reachable: string[]): Promise<Command> {
  const identity = serverIdentity();
  const setpriv = await findSetpriv();
  const closed = identity === null ? null : await firstClosedFolder([binary, ...reachable]);
  if (closed !== null && (setpriv === null || !(await mayPassClosedFolders()))) throw closedFolder(closed);
  if (setpriv === null) return { file: binary, args, identity };
  const asNobody =
    identity === null ? [] : ["--reuid", String(identity.uid), "--regid", String(identity.gid), "--clear-groups"];
  // "INT", not "SIGINT": setpriv compares the prefix by the rules of the locale, and a Turkish I is no i.
  // initdb looks for its binaries with access(2), which ignores the capability unless this securebit is set.
  const passThrough = ["--securebits", "+no_setuid_fixup", "--inh-caps", READ_SEARCH, "--ambient-caps", READ_SEARCH];
  return {
    file: setpriv,
    args: [...asNobody, ...(closed === null ? [] : passThrough), "--pdeathsig", "INT", "--", binary, ...args],
    identity: null,
  };
}

/** Containers often run root without this capability. */
async function mayPassClosedFolders(): Promise<boolean> {
  const status = await readFile("/proc/self/status", "utf8");
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0";
  return (BigInt(`0x${effective}`) & READ_SEARCH_BIT) !== 0n;
}

async function findSetpriv(): Promise<string | null> {
  if (process.platform !== "linux") return null;
  for (const folder of (process.env.PATH ?? "/usr/bin:/bin").split(":")) {
    const path = join(folder, "setpriv");
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    // BusyBox' setpriv lacks these options.
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

/** The first parent folder of any of the paths that only its owner can enter; null if there is none. */
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
    `Postgres does not run as root, and other users cannot enter ${folder}. Move the project to another folder, or start as a normal user.`,
  );
}
