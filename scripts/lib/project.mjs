import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Folder of what a start keeps: the embedded Postgres, logs, the run file. */
export function dataFolder() {
  return resolve(ROOT, process.env.OUTBOX_DATA_DIR || ".data");
}

/**
 * True where the environment or an outbox.yaml names databases, so that no demo is shown.
 * @param {Record<string, string | undefined>} [env]
 */
export function namesDatabases(env = process.env) {
  return Boolean(env.DATABASE_URL || env.OUTBOX_CONFIG || existsSync(join(ROOT, "outbox.yaml")));
}

/** A `.env` in the project's folder applies to every process; variables that are already set win. */
export function loadEnvFile() {
  const file = join(ROOT, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
}
