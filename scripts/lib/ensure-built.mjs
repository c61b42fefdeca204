import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settleAtRoot } from "./base-path.mjs";
import { isInstalled } from "./ensure-installed.mjs";
import { findNode } from "./find-node.mjs";
import { IS_PACKAGE, ROOT } from "./project.mjs";
import { captureCommand } from "./run-command.mjs";
import { Sentence } from "./stop-with-sentence.mjs";

const FOLDERS = ["app", "components", "contracts", "domain", "services", "db", "public"];
const FILES = /^(next\.config|postcss\.config|proxy|instrumentation|package(-lock)?)[\w.-]*\.(m?[jt]s|json)$/;
const BUILD = join(ROOT, ".next");
const STAMP = join(BUILD, "built-from.json");

/** Whether the web console was built from the current sources. */
export function isBuilt() {
  if (!existsSync(join(BUILD, "BUILD_ID"))) return false;
  try {
    return JSON.parse(readFileSync(STAMP, "utf8")).sources === hashSources();
  } catch {
    return false;
  }
}

/** Builds the web console unless its build is current. */
export async function ensureBuilt() {
  if (IS_PACKAGE || isBuilt()) return;
  // A production image contains a build and no build tools, so it runs that build.
  if (existsSync(join(BUILD, "BUILD_ID")) && !isInstalled()) return;
  const sources = hashSources();
  console.log("Building the console (half a minute or so) ...");
  const startedAt = Date.now();
  const { code, output } = await captureCommand(
    findNode(),
    [join(ROOT, "node_modules", "next", "dist", "bin", "next"), "build"],
    {
      env: { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
      onTick: (seconds) => console.log(`  still building, ${seconds} s`),
    },
  );
  if (code !== 0) throw new Sentence(explainFailure(output));
  try {
    // The built server serves static files from its own folder.
    cpSync(join(BUILD, "static"), join(BUILD, "standalone", ".next", "static"), { recursive: true });
    settleAtRoot(ROOT);
    writeFileSync(STAMP, `${JSON.stringify({ sources })}\n`);
  } catch (error) {
    throw new Sentence(explainFailure(`${error.code}: ${BUILD} cannot be written`));
  }
  console.log(`  built in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

/** @param {string} output */
function explainFailure(output) {
  const tail = output.trim().split("\n").slice(-40).join("\n");
  return `${tail}\n\n${adviceFor(output)}`;
}

/** @param {string} output */
function adviceFor(output) {
  if (/ENOSPC|no space left/i.test(output)) {
    return "The console could not be built because the disk is full. Free some space and try again.";
  }
  if (/EROFS|read-only file system/i.test(output)) {
    return `The console could not be built because ${ROOT} is on a read-only file system. Run \`npm run build\` where it can be written, and start again.`;
  }
  if (/EACCES|EPERM/.test(output)) {
    return `The console could not be built because this user may not write to ${BUILD}. Change its owner, and start again.`;
  }
  return "The console could not be built; the reason is above.";
}

function hashSources() {
  const hash = createHash("sha256");
  const rootFiles = readdirSync(ROOT).filter((name) => FILES.test(name));
  const inFolders = FOLDERS.filter((folder) => existsSync(join(ROOT, folder))).flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.\w+$/.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(ROOT.length + 1)),
  );
  for (const file of [...rootFiles, ...inFolders].sort()) {
    const content = createHash("sha256")
      .update(readFileSync(join(ROOT, file)))
      .digest("hex");
    hash.update(`${file} ${content}\n`);
  }
  return hash.digest("hex");
}
