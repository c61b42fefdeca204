import type { ItemResult } from "#db/stores/port/bulk-records.ts";
import { normaliseError } from "#domain/message/fingerprint.ts";

/** Number of outcomes by which a halt is judged, and the fewest that suffice. */
const LAST = 50;
const FEWEST = 10;

/**
 * Whether too many retried or re-published messages fail. Fed with outcomes in the order in which they become known.
 */
export class RetryJudge {
  readonly #haltPercent: number;
  readonly #failed: string;
  #last: { failed: boolean; error: string | null }[] = [];

  /** `failed`: the words for such an outcome. */
  constructor(haltPercent: number, failed = "failed again") {
    this.#haltPercent = haltPercent;
    this.#failed = failed;
  }

  add(results: readonly ItemResult[]): void {
    const known = results.filter(({ outcome }) => outcome === "published" || outcome === "failed_again");
    const added = known.map(({ outcome, message }) => ({ failed: outcome === "failed_again", error: message }));
    this.#last = [...this.#last, ...added].slice(-LAST);
  }

  /** Forgets all outcomes, after an operator has resumed the operation. */
  reset(): void {
    this.#last = [];
  }

  /** Sentence: why the operation halts; null while it may go on. `fewest`: of a canary, all of it. */
  halts(fewest = FEWEST): string | null {
    const failed = this.#last.filter((one) => one.failed);
    if (this.#last.length < Math.max(fewest, 1) || failed.length === 0) return null;
    const percent = (failed.length / this.#last.length) * 100;
    if (percent < this.#haltPercent) return null;
    const errors = failed.map(({ error }) => (error === null ? "no error text" : normaliseError(error)));
    const [most] = [...Map.groupBy(errors, (error) => error)].sort(([, one], [, other]) => other.length - one.length);
    return `${failed.length} of the last ${this.#last.length} ${this.#failed} (halts at ${this.#haltPercent} %): ${most?.[0] ?? ""}`;
  }
}
