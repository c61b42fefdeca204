import { existsSync, readFileSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { isNewEnough } from "./find-node.mjs";
import { IS_PACKAGE, ROOT } from "./project.mjs";
import { captureCommand } from "./run-command.mjs";
import { Sentence } from "./stop-with-sentence.mjs";

const NEEDED_BYTES = 1_000_000_000;

/**
 * Whether node_modules holds what package-lock.json names. npm records what it installed in it, so a manual install
 * counts too, and an interrupted one does not.
 * @param {{ dev?: boolean }} [options] dev: false ignores packages that only development needs
 */
export function isInstalled({ dev = true } = {}) {
  const wanted = readPackages(join(ROOT, "package-lock.json"));
  const present = readPackages(join(ROOT, "node_modules", ".package-lock.json"));
  if (wanted === null || present === null) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const found = present[path];
    if (found === undefined) return entry.optional || entry.devOptional || entry.peer || (entry.dev && !dev);
    return found.version === entry.version;
  });
}

/** Runs `npm ci` when the lock file requires it, and prints its progress. */
export async function ensureInstalled(options) {
  if (IS_PACKAGE || isInstalled(options)) return;
  const disk = statfsSync(ROOT);
  if (disk.bavail * disk.bsize < NEEDED_BYTES) {
    throw new Sentence(
      `Installing needs about 1 GB of disk space, and less is left in ${ROOT}. Free some and try again.`,
    );
  }
  await refuseWithoutScripts();
  console.log("Installing packages with npm ci (a minute or so the first time) ...");
  const startedAt = Date.now();
  const { code, output } = await runNpmCi();
  if (code !== 0) throw new Sentence(explainNpmFailure(output));
  console.log(`  installed in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

/**
 * Reports, before the install, that npm would skip the newer Node: a script downloads it, and scripts are off.
 */
async function refuseWithoutScripts() {
  if (isNewEnough(process.versions.node)) return;
  const { output } = await runNpm(["config", "get", "ignore-scripts"]);
  const problem = scriptsProblem(process.versions.node, output);
  if (problem !== null) throw new Sentence(problem);
}

/**
 * @param {string} version of this Node
 * @param {string} ignoreScripts npm's output for that setting
 * @returns {string | null}
 */
export function scriptsProblem(version, ignoreScripts) {
  if (isNewEnough(version) || !/^true$/m.test(ignoreScripts)) return null;
  return (
    `npm is set to ignore-scripts, which leaves out the Node 24 that does the work, and this Node ${version} is too old for it. ` +
    "Run `npm ci --ignore-scripts=false`, or use Node 22.18 or later, and start again."
  );
}

function runNpmCi() {
  const args = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  return runNpm(args, (seconds) => console.log(`  still installing, ${seconds} s`));
}

/**
 * Runs the npm that started this process, or the one on the path.
 * @param {string[]} args
 * @param {(seconds: number) => void} [onTick]
 */
export function runNpm(args, onTick) {
  const npm = process.env.npm_execpath;
  return npm !== undefined && existsSync(npm) && /npm-cli\.c?js$/.test(npm)
    ? captureCommand(process.execPath, [npm, ...args], { onTick })
    : captureCommand("npm", args, { onTick });
}

/**
 * npm's last lines, and what to do about them.
 * @param {string} output
 * @param {string} [command]
 */
export function explainNpmFailure(output, command = "npm ci") {
  const tail = output.trim().split("\n").slice(-15).join("\n");
  return `${tail}\n\n${adviceFor(output).replaceAll("npm ci", command)}`;
}

/** @param {string} output */
function adviceFor(output) {
  if (/ENOSPC|no space left/i.test(output)) {
    return "npm ci failed because the disk is full. Free about 1 GB and try again.";
  }
  if (/ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET|EAI_AGAIN|network/i.test(output)) {
    return "npm ci could not reach the npm registry. Check the network, the proxy and `npm config get registry`, and try again.";
  }
  if (/EROFS|read-only file system/i.test(output)) {
    return `${ROOT} is on a read-only file system. Run \`npm ci\` and \`npm run build\` where it can be written, and start again.`;
  }
  if (/EACCES|EPERM/.test(output)) {
    return `npm ci was refused by the file system. Check that this user owns ${ROOT} and npm's cache, and try again.`;
  }
  return "npm ci failed; its last lines are above. Once `npm ci` passes by itself, try again.";
}

/**
 * @returns {Record<string, { version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean
 * }> | null}
 */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages ?? null;
  } catch {
    return null;
  }
}
