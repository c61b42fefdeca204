import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What a start keeps: the embedded Postgres, logs, the list of its processes. */
export function dataFolder() {
  return resolve(ROOT, process.env.OUTBOX_DATA_DIR || ".data");
}

/** A `.env` in the project's folder counts for every process alike; what is set already wins. */
export function loadEnvFile() {
  const file = join(ROOT, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
}
