import type { Failure } from "#domain/failure.ts";
import { PUBLISHED, type PublishOutcome } from "../sink.ts";

/** Most requests remembered; above it all are forgotten. */
const MOST_REMEMBERED = 10_000;

/** Requests that may have arrived: they were sent, and no answer came. */
export class Unanswered {
  readonly #ids = new Set<string>();

  add(id: string): void {
    if (this.#ids.size >= MOST_REMEMBERED) this.#ids.clear();
    this.#ids.add(id);
  }

  /**
   * The outcome of a try of this request. A 409 to what may have arrived before says that the receiver has it; the first
   * answer to a request may be a conflict of another kind.
   */
  judge(id: string, outcome: PublishOutcome): PublishOutcome {
    if (outcome.kind === "failed" && isUnanswered(outcome.failure)) this.add(id);
    else if (this.#ids.size > 0 && this.#ids.has(id)) {
      if (outcome.kind === "failed" && !saysDuplicate(outcome.failure)) return outcome;
      if (outcome.kind !== "aborted") this.#ids.delete(id);
      return outcome.kind === "failed" ? PUBLISHED : outcome;
    }
    return outcome;
  }
}

function isUnanswered({ kind, code }: Failure): boolean {
  return kind === "ambiguous" && (code === "unreachable" || code === "timeout");
}

function saysDuplicate({ code, message }: Failure): boolean {
  return code === "rejected" && /^HTTP 409\b/.test(message);
}
