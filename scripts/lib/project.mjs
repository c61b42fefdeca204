import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of the program: a checkout, or the installed package. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Folders with our code. */
export const CODE_FOLDERS =
  "app bench chaos client components contracts db demo domain e2e incidents monitor relay scripts services tests".split(
    " ",
  );

/** True in the package made by `npm run pack`, which has compiled programs and a build in place of the sources. */
export const IS_PACKAGE = !existsSync(join(ROOT, "scripts", "worker.ts"));

/**
 * Folder of the configuration, of `.env` and of what a start keeps: the checkout, or where the package's command runs.
 */
export const FOLDER = IS_PACKAGE ? process.cwd() : ROOT;

/**
 * The file that Node runs for one of our programs.
 * @param {string} source path of its source in the checkout, e.g. `scripts/worker.ts`
 */
export function programPath(source) {
  return join(ROOT, IS_PACKAGE ? source.replace(/\.ts$/, ".mjs") : source);
}

/** Folder for the files of a start: the embedded Postgres, logs, the run file. */
export function dataFolder() {
  return resolve(FOLDER, process.env.OUTBOX_DATA_DIR || (IS_PACKAGE ? ".outbox-console" : ".data"));
}

/**
 * How a person starts one of our commands here.
 * @param {string} name e.g. `migrate`
 */
export function commandText(name) {
  if (IS_PACKAGE) return `npx outbox-console ${name}`;
  return ["start", "test"].includes(name) ? `npm ${name}` : `npm run ${name}`;
}

/**
 * True where the environment or an outbox.yaml holds a configuration.
 * @param {Record<string, string | undefined>} [env]
 */
export function isConfigured(env = process.env) {
  if (env.OUTBOX_CONFIG || env.OUTBOX_CONFIG_YAML || existsSync(join(FOLDER, "outbox.yaml"))) return true;
  return Object.keys(env).some((name) => name.startsWith("OUTBOX_CONSOLE__"));
}

/**
 * True where the environment or an outbox.yaml names databases, so that no demo is shown.
 * @param {Record<string, string | undefined>} [env]
 */
export function namesDatabases(env = process.env) {
  return Boolean(env.DATABASE_URL) || isConfigured(env);
}

/** A `.env` next to the configuration applies to every process; variables that are already set take precedence. */
export function loadEnvFile() {
  const file = join(FOLDER, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
}
