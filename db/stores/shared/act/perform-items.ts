import { type AppError, concernsWholeRun, toAppError } from "#domain/errors.ts";
import type { ItemAct } from "../../port/outbox-actions.ts";
import { troubleOf } from "../../port/store-error.ts";
import type { VerbRequest, VerbResult } from "../../port/verb.ts";

/** True for a failure that does not depend on the message: no other message is to be tried after it. */
export function stops(failure: AppError | null): boolean {
  return failure !== null && (troubleOf(failure) === "commit_in_doubt" || concernsWholeRun(failure));
}

/**
 * Performs one item after the other, each in its own transaction. If one stops the run, it is the last in the result.
 */
export async function performEach(
  once: (verb: VerbRequest) => Promise<VerbResult>,
  verbs: readonly VerbRequest[],
): Promise<ItemAct[]> {
  const acts: ItemAct[] = [];
  for (const verb of verbs) {
    const seq = verb.item?.seq ?? 0;
    try {
      await once(verb);
      acts.push({ seq, failure: null });
    } catch (error) {
      const failure = toAppError(error);
      acts.push({ seq, failure });
      if (stops(failure)) break;
    }
  }
  return acts;
}
