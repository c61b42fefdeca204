import { writeFileSync } from "node:fs";
import { relative } from "node:path";

/** Writes the browser tests' summary in the other tests' format. A test that passed on a retry counts as failed. */
export default class PlaywrightSummaryReporter {
  #suite = null;
  #failures = [];

  onBegin(_config, suite) {
    this.#suite = suite;
  }

  onError(error) {
    this.#failures.push({ name: "an error outside of any test", error: errorText([error]) });
  }

  onEnd() {
    /** @type {import("./test.mjs").Summary} */
    const summary = { passed: 0, failures: this.#failures, skipped: [], files: [] };
    const seconds = new Map();
    for (const test of this.#suite?.allTests() ?? []) {
      const file = fileOf(test);
      seconds.set(
        file,
        (seconds.get(file) ?? 0) + test.results.reduce((sum, result) => sum + result.duration / 1000, 0),
      );
      const outcome = test.outcome();
      if (outcome === "skipped") summary.skipped.push({ name: nameOf(test), reason: skipReason(test) });
      else if (outcome === "expected") summary.passed += 1;
      else
        summary.failures.push({
          name: nameOf(test),
          error: errorText(test.results.flatMap((result) => result.errors ?? [])),
        });
    }
    summary.files = [...seconds].map(([file, seconds]) => ({ file, seconds }));
    writeFileSync(process.env.OUTBOX_TEST_SUMMARY, JSON.stringify(summary));
  }

  printsToStdio() {
    return false;
  }
}

const fileOf = (test) => relative(process.cwd(), test.location.file);

const nameOf = (test) => [fileOf(test), ...test.titlePath().slice(3)].join(" > ");

const errorText = (errors) => errors.map((error) => error.stack ?? error.message ?? String(error)).join("\n");

function skipReason(test) {
  const annotations = [...test.annotations, ...test.results.flatMap((result) => result.annotations ?? [])];
  const reason = annotations.find((annotation) => annotation.type === "skip" || annotation.type === "fixme");
  return reason?.description ?? "no reason given";
}
