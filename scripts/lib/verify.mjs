import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { helpAskedFor } from "./command-arguments.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { findNode } from "./find-node.mjs";
import { ROOT } from "./project.mjs";
import { captureCommand } from "./run-command.mjs";
import { Sentence } from "./stop-with-sentence.mjs";

/**
 * `npm run verify`: all checks that take seconds and need no database. It runs every scripts/check-* file, so a new
 * check is a new file. `npm run verify -- --no-tests` leaves out the unit tests, for use with `npm test`, which runs
 * them.
 * @param {string[]} argv
 * @returns {Promise<number>} exit code
 */
export async function verify(argv) {
  const help = helpAskedFor("verify", argv);
  if (help !== null) {
    process.stdout.write(help);
    return 0;
  }
  const unknown = argv.find((word) => word !== "--no-tests");
  if (unknown !== undefined) throw new Sentence(`verify does not know "${unknown}". Say --no-tests or nothing.`);
  await ensureInstalled();
  const node = findNode();
  const installed = (path) => join(ROOT, "node_modules", path);
  const unitTests = [
    "unit tests",
    node,
    [installed("vitest/vitest.mjs"), "run", "--project", "unit", "--reporter=dot"],
  ];
  const steps = [
    ["format and lint", installed(".bin/biome"), ["check", "--error-on-warnings", "."]],
    // Without this step, Next's generated route types would be from the last build.
    ["route types", node, [installed("next/dist/bin/next"), "typegen"]],
    ["types", installed(".bin/tsc"), ["--noEmit", "-p", ".", "--checkers", String(typeCheckers())]],
    [
      "unused code",
      node,
      [installed("knip/bin/knip.js"), "--no-progress", "--no-config-hints", "--include", "files,exports,types"],
    ],
    ...listChecks().map((name) => [name.replace(/\.\w+$/, "").replace("-", " "), node, [join("scripts", name)]]),
    ...(argv.includes("--no-tests") ? [] : [unitTests]),
  ];
  let failed = 0;
  for (const [name, file, args] of steps) failed += (await runStep(name, file, args)) ? 0 : 1;
  return failed > 0 ? 1 : 0;
}

/**
 * Parallel checkers share little work: on two cores, four of them take 1.4 times the processor time of one, and as
 * long.
 */
function typeCheckers() {
  return Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));
}

function listChecks() {
  return readdirSync(join(ROOT, "scripts")).filter((name) => /^check-[\w-]+\.(mjs|ts)$/.test(name));
}

async function runStep(name, file, args) {
  const startedAt = Date.now();
  // The shims in .bin run with the first `node` on the path, which must be the one from the packages.
  const path = `${join(ROOT, "node_modules", ".bin")}:${process.env.PATH}`;
  const { code, output } = await captureCommand(file, args, { env: { PATH: path, NEXT_TELEMETRY_DISABLED: "1" } });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? "ok    " : "FAILED"}  ${seconds.padStart(5)} s  ${name}`);
  if (code !== 0) console.log(output.trimEnd().replace(/^/gm, "        "));
  return code === 0;
}
