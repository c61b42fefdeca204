import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import { startEmbeddedPostgres } from "./start-embedded-postgres.ts";

/** Copies the data folder of a server that has run and was stopped: it takes a tenth of what a new one does. */
export function soundFolder(): (dataDir: string) => Promise<unknown> {
  let sound: string;
  beforeAll(async () => {
    sound = await mkdtemp(join(tmpdir(), "outbox-console-sound-"));
    const first = await startEmbeddedPostgres({ dataDir: sound, settings: { fsync: "off" } });
    await first.stop();
  });
  afterAll(() => rm(sound, { recursive: true, force: true }));
  // With owners: the server does not run as root.
  return (dataDir) => promisify(execFile)("cp", ["-a", `${sound}/.`, dataDir]);
}
