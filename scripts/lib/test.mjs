import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleTestPrograms } from "./bundle-test-programs.mjs";
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { findBrowser } from "./find-browser.mjs";
import { findNode } from "./find-node.mjs";
import { ROOT } from "./project.mjs";
import { runCommand, stopCommands } from "./run-command.mjs";
import { createScratchFolder } from "./scratch-folder.mjs";
import { Sentence } from "./stop-with-sentence.mjs";
import { watchNpm } from "./watch-parent.mjs";

/** @typedef {{ passed: number, failed: number, skipped: { name: string, reason: string }[] }} Summary */

const PARTS = ["unit", "db", "broker", "incidents", "e2e"];

/**
 * `npm test`: everything. `npm test -- unit|db|broker|incidents|e2e [filter ...]`: that part, or the tests in it that match.
 * @param {string[]} argv
 * @returns {Promise<number>} exit code
 */
export async function test([part, ...filters]) {
  if (part !== undefined && !PARTS.includes(part)) {
    throw new Sentence(
      `There is no part "${part}" of the tests. Say unit, db, broker, incidents or e2e and then what to match, or nothing for all.`,
    );
  }
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stopCommands(signal));
  watchNpm(stopCommands);
  await ensureInstalled();
  const folder = createScratchFolder();
  const scratch = folder.path;
  process.env.TMPDIR = scratch;
  // Hundreds of processes start. With the first one's compiled code cached, each later one takes a third of the CPU time.
  process.env.NODE_COMPILE_CACHE ??= join(scratch, "compile-cache");
  try {
    if (part !== "unit") await bundleTestPrograms(join(scratch, "programs"));
    return report(part === undefined ? await runAll(scratch) : [await runOne(part, filters, scratch)]);
  } finally {
    folder.remove();
  }
}

/**
 * One part after another: the workers of each keep two cores busy, and incidents beside browser specs answer too slowly to
 * be judged. The console is built first: beside the tests it would take the processor from those that wait.
 * @returns {Promise<Summary[]>}
 */
async function runAll(scratch) {
  const run = (...projects) => runVitest({ projects, filters: [], scratch });
  const browser = await prepareBrowser();
  const tests = await run("unit", "db", "broker");
  return [tests, await runPlaywright({ browser, filters: [], scratch }), await run("incidents")];
}

/** @returns {Promise<Summary>} */
async function runOne(part, filters, scratch) {
  if (part === "e2e") return runPlaywright({ browser: await prepareBrowser(), filters, scratch });
  return runVitest({ projects: [part], filters, scratch });
}

async function runVitest({ projects, filters, scratch }) {
  const args = [
    join(ROOT, "node_modules/vitest/vitest.mjs"),
    "run",
    ...projects.flatMap((project) => ["--project", project]),
    "--reporter=default",
    `--reporter=${join(ROOT, "scripts/lib/vitest-summary-reporter.mjs")}`,
    ...filters,
  ];
  return runPart({ args, summaryFile: join(scratch, `${projects.join("-")}.json`) });
}

async function runPlaywright({ browser, filters, scratch }) {
  if (browser === null) return { passed: 0, failed: 1, skipped: [] };
  const args = [
    join(ROOT, "node_modules/@playwright/test/cli.js"),
    "test",
    `--reporter=list,${join(ROOT, "scripts/lib/playwright-summary-reporter.mjs")}`,
    ...filters,
  ];
  return runPart({ args, summaryFile: join(scratch, "playwright.json"), env: browser });
}

/**
 * Null, after printing the reason, if the console or the browser is not available. The other tests still run.
 */
async function prepareBrowser() {
  try {
    await ensureBuilt();
    return await findBrowser();
  } catch (error) {
    if (!(error instanceof Sentence)) throw error;
    console.error(`\n${error.message}`);
    return null;
  }
}

/** A runner that dies without a summary, or fails without a failed test, has failed once. */
async function runPart({ args, summaryFile, env = {} }) {
  const code = await runCommand(findNode(), args, { env: { ...env, OUTBOX_TEST_SUMMARY: summaryFile } });
  const summary = existsSync(summaryFile)
    ? JSON.parse(readFileSync(summaryFile, "utf8"))
    : { passed: 0, failed: 0, skipped: [] };
  return code !== 0 && summary.failed === 0 ? { ...summary, failed: 1 } : summary;
}

/** @param {Summary[]} summaries */
function report(summaries) {
  const sum = (key) => summaries.reduce((total, summary) => total + summary[key], 0);
  const skipped = summaries.flatMap((summary) => summary.skipped);
  if (skipped.length > 0) {
    console.log("\nSkipped:");
    for (const { name, reason } of skipped) console.log(`  ${name}: ${reason}`);
  }
  const inCi = Boolean(process.env.CI) && process.env.CI !== "0" && process.env.CI !== "false";
  const missed = skipped.filter(({ reason }) => !reason.startsWith("by capability:"));
  if (inCi && missed.length > 0)
    console.log("\nWith CI set, a skipped test is a failure, unless its store lacks the capability.");
  const [passed, failed] = [sum("passed"), sum("failed")];
  console.log(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped`);
  return failed > 0 || passed === 0 || (inCi && missed.length > 0) ? 1 : 0;
}
