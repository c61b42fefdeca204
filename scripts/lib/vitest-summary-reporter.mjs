import { writeFileSync } from "node:fs";

/**
 * Writes the summary for `npm test` to the file named in OUTBOX_TEST_SUMMARY: counts, and each skip with its reason.
 */
export default class VitestSummaryReporter {
  /**
   * @param {ReadonlyArray<import("vitest/node").TestModule>} modules
   * @param {ReadonlyArray<unknown>} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const summary = { passed: 0, failed: unhandledErrors.length, skipped: [] };
    for (const module of modules) {
      // A file that cannot be loaded, or whose hooks fail, has no failed test to count.
      let failedHere = 0;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "passed") summary.passed += 1;
        else if (result.state === "failed") failedHere += 1;
        else if (result.state === "skipped") summary.skipped.push(describeSkip(module, test, result.note));
      }
      if (failedHere === 0 && (module.errors().length > 0 || module.state() === "failed")) failedHere = 1;
      summary.failed += failedHere;
    }
    writeFileSync(process.env.OUTBOX_TEST_SUMMARY, JSON.stringify(summary));
  }
}

function describeSkip(module, test, note) {
  return { name: `${module.relativeModuleId} > ${test.fullName}`, reason: note ?? "no reason given" };
}
