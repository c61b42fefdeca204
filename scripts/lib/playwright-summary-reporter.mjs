import { writeFileSync } from "node:fs";
import { relative } from "node:path";

/** Writes the browser tests' summary in the other tests' format. A test that passed on a retry counts as failed. */
export default class PlaywrightSummaryReporter {
  #suite = null;
  #errors = 0;

  onBegin(_config, suite) {
    this.#suite = suite;
  }

  onError() {
    this.#errors += 1;
  }

  onEnd() {
    const summary = { passed: 0, failed: this.#errors, skipped: [] };
    for (const test of this.#suite?.allTests() ?? []) {
      const outcome = test.outcome();
      if (outcome === "skipped") summary.skipped.push(describeSkip(test));
      else if (outcome === "expected") summary.passed += 1;
      else summary.failed += 1;
    }
    writeFileSync(process.env.OUTBOX_TEST_SUMMARY, JSON.stringify(summary));
  }

  printsToStdio() {
    return false;
  }
}

function describeSkip(test) {
  const annotations = [...test.annotations, ...test.results.flatMap((result) => result.annotations ?? [])];
  const reason = annotations.find((annotation) => annotation.type === "skip" || annotation.type === "fixme");
  const name = [relative(process.cwd(), test.location.file), ...test.titlePath().slice(3)].join(" > ");
  return { name, reason: reason?.description ?? "no reason given" };
}
