import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleTestPrograms } from "./bundle-test-programs.mjs";
import { helpAskedFor } from "./command-arguments.mjs";
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { findBrowser } from "./find-browser.mjs";
import { findNode } from "./find-node.mjs";
import { ROOT } from "./project.mjs";
import { runCommand, stopCommands } from "./run-command.mjs";
import { createScratchFolder } from "./scratch-folder.mjs";
import { Sentence } from "./stop-with-sentence.mjs";
import { watchNpm } from "./watch-parent.mjs";

/**
 * Result of a part of the tests. `error` holds the messages and stacks, `seconds` the time of a file alone.
 * @typedef {{
 *   passed: number,
 *   failures: { name: string, error: string }[],
 *   skipped: { name: string, reason: string }[],
 *   files: { file: string, seconds: number }[],
 * }} Summary
 */

/** Lines of an error that are repeated with the summary. */
const ERROR_LINES = 8;
const SLOWEST_FILES = 25;

const PARTS = ["unit", "db", "broker", "incidents", "e2e"];

/**
 * `npm test`: everything. `npm test -- unit|db|broker|incidents|e2e [filter ...]`: that part, or the tests in it that
 * match.
 * @param {string[]} argv
 * @returns {Promise<number>} exit code
 */
export async function test([part, ...filters]) {
  const help = helpAskedFor("test", [part, ...filters]);
  if (help !== null) {
    process.stdout.write(help);
    return 0;
  }
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
  // Hundreds of processes start. With the first one's compiled code cached, each later one takes a third of the CPU
  // time.
  process.env.NODE_COMPILE_CACHE ??= join(scratch, "compile-cache");
  try {
    if (part !== "unit") await bundleTestPrograms(join(scratch, "programs"));
    return report(part === undefined ? await runAll(scratch) : [await runOne(part, filters, scratch)]);
  } finally {
    folder.remove();
  }
}

/**
 * Runs one part after another: the workers of each keep two cores busy, and incidents at the same time as browser specs
 * answer too slowly to be judged. The console is built only for browser specs; in continuous integration it exists by
 * then.
 * @returns {Promise<Summary[]>}
 */
async function runAll(scratch) {
  const run = (...projects) => runVitest({ projects, filters: [], scratch });
  const tests = await run("unit", "db", "broker");
  const browser = await prepareBrowser();
  return [tests, await runPlaywright({ browser, filters: [], scratch }), await run("incidents")];
}

/** @returns {Promise<Summary>} */
async function runOne(part, filters, scratch) {
  // Named tests run at full depth.
  if (filters.length > 0) process.env.TEST_DEPTH ??= "all";
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
  if (browser === null) return died("the browser tests did not run: there is no build or no browser");
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

/** A runner that dies without a summary, or fails without a failed test, counts as one failure. */
async function runPart({ args, summaryFile, env = {} }) {
  const begun = performance.now();
  const code = await runCommand(findNode(), args, { env: { ...env, OUTBOX_TEST_SUMMARY: summaryFile } });
  console.log(`\nThis part took ${Math.round((performance.now() - begun) / 1000)} s.`);
  if (!existsSync(summaryFile)) return died(`the test runner ended with code ${code} and left no summary`);
  const summary = JSON.parse(readFileSync(summaryFile, "utf8"));
  if (code !== 0 && summary.failures.length === 0)
    return { ...summary, failures: died(`the test runner ended with code ${code}, and no test failed`).failures };
  return summary;
}

/** @returns {Summary} */
function died(reason) {
  return { passed: 0, failures: [{ name: reason, error: "" }], skipped: [], files: [] };
}

/** @param {Summary[]} summaries */
function report(summaries) {
  const passed = summaries.reduce((total, summary) => total + summary.passed, 0);
  const [failures, skipped, files] = ["failures", "skipped", "files"].map((key) =>
    summaries.flatMap((summary) => summary[key]),
  );
  const inCi = Boolean(process.env.CI) && process.env.CI !== "0" && process.env.CI !== "false";
  const missed = skipped.filter(({ reason }) => !reason.startsWith("by capability:"));
  if (inCi) printSlowest(files);
  if (skipped.length > 0) {
    console.log("\nSkipped:");
    for (const { name, reason } of skipped) console.log(`  ${name}: ${reason}`);
  }
  if (failures.length > 0) {
    console.log("\nFailed:");
    for (const { name, error } of failures) printFailure(name, error);
  }
  if (inCi && missed.length > 0)
    console.log("\nWith CI set, a skipped test is a failure, unless its store lacks the capability.");
  console.log(`\n${passed} passed, ${failures.length} failed, ${skipped.length} skipped`);
  return failures.length > 0 || passed === 0 || (inCi && missed.length > 0) ? 1 : 0;
}

function printSlowest(files) {
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST_FILES);
  console.log("\nSlowest files, in seconds:");
  for (const { file, seconds } of slowest) console.log(`  ${String(Math.round(seconds)).padStart(4)}  ${file}`);
}

function printFailure(name, error) {
  console.log(`  ${name}`);
  const lines = error.split("\n").filter((line) => line.trim() !== "" && !line.includes("node_modules"));
  for (const line of lines.slice(0, ERROR_LINES)) console.log(`      ${line}`);
}
