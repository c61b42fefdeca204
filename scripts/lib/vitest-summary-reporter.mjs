import { writeFileSync } from "node:fs";

/** @typedef {import("./test.mjs").Summary} Summary */

/**
 * Writes the summary for `npm test` to the file named in OUTBOX_TEST_SUMMARY: counts, each failure with its error, each
 * skip with its reason, and the seconds that each file took.
 */
export default class VitestSummaryReporter {
  /**
   * @param {ReadonlyArray<import("vitest/node").TestModule>} modules
   * @param {ReadonlyArray<import("vitest").SerializedError>} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    /** @type {Summary} */
    const summary = {
      passed: 0,
      failures: unhandledErrors.map((error) => ({ name: "an error outside of any test", error: errorText([error]) })),
      skipped: [],
      files: [],
    };
    for (const module of modules) {
      const failures = [];
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "passed") summary.passed += 1;
        else if (result.state === "failed")
          failures.push({ name: nameOf(module, test), error: errorText(result.errors) });
        else if (result.state === "skipped")
          summary.skipped.push({ name: nameOf(module, test), reason: result.note ?? "no reason given" });
      }
      // A file that cannot be loaded, or whose hooks fail, has no failed test to count.
      if (failures.length === 0 && (module.errors().length > 0 || module.state() === "failed"))
        failures.push({ name: `${module.relativeModuleId}, outside of its tests`, error: errorText(module.errors()) });
      summary.failures.push(...failures);
      summary.files.push({ file: module.relativeModuleId, seconds: module.diagnostic().duration / 1000 });
    }
    writeFileSync(process.env.OUTBOX_TEST_SUMMARY, JSON.stringify(summary));
  }
}

const nameOf = (module, test) => `${module.relativeModuleId} > ${test.fullName}`;

const errorText = (errors) => errors.map((error) => error.stack ?? error.message ?? String(error)).join("\n");
