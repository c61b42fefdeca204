import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT } from "./project.mjs";
import { Sentence } from "./stop-with-sentence.mjs";

/** First version of Node that runs TypeScript directly. */
const LEAST = [22, 18];

/**
 * The Node that runs our TypeScript: the one that npm installed as a package; otherwise this one if it is new enough.
 * @returns {string} path of the program
 */
export function findNode() {
  const installed = installedNode();
  if (installed !== null && existsSync(installed)) {
    const { stdout, status } = spawnSync(installed, ["--version"], { encoding: "utf8" });
    if (status === 0 && isNewEnough(stdout.trim().slice(1))) return installed;
  }
  if (isNewEnough(process.versions.node)) return process.execPath;
  throw new Sentence(
    `The Node 24 that comes with the packages is missing or does not run here, and this Node ${process.versions.node} is too old to do its work. ` +
      "If npm is set to ignore-scripts, run `npm rebuild node --ignore-scripts=false`; otherwise use Node 22.18 or later.",
  );
}

/** npm puts it into the checkout, or next to an installed package. */
function installedNode() {
  try {
    return join(dirname(createRequire(join(ROOT, "package.json")).resolve("node/package.json")), "bin", "node");
  } catch {
    return null;
  }
}

/**
 * Whether a Node of that version is new enough to run our TypeScript, without the one from npm.
 * @param {string} version
 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]);
}
