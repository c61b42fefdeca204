import { ACTION_WORDS } from "#components/action/action-words.ts";
import { summariseOutcomes } from "#components/action/summarise-outcomes.ts";
import type { Operation } from "#contracts/message/operations.ts";
import { formatPlural } from "#domain/format.ts";
import { isEnded } from "#domain/message/bulk-operation.ts";
import { actedOn, percentOf } from "./bulk-progress.ts";
import { outcomeWords } from "./describe-bulk.ts";

/** "Retry 3,045 messages": what an operation of the list was about. */
export function operationTitle(operation: Operation): string {
  const { action, bulk, done, skipped, failed, unknown } = operation;
  const count = bulk === null ? done + skipped + failed + unknown : actedOn(bulk.counts);
  return `${ACTION_WORDS[action].verb} ${formatPlural(count, "message")}`;
}

/** What came of it, in words. */
export function operationOutcome(operation: Operation): string {
  if (operation.bulk === null) return summariseOutcomes(operation).replace(/\.$/, "");
  return outcomeWords(operation.action, operation.bulk.counts);
}

/** Where it stands while it goes on: "running, 54 %"; undefined once it has ended. */
export function operationState({
  bulk,
  finished,
}: Operation): { text: string; tone: "fly" | "warn" | "bad" } | undefined {
  if (bulk === null) return finished ? undefined : { text: "being looked up", tone: "warn" };
  if (isEnded(bulk.state)) return undefined;
  const tone = bulk.state === "halted" ? "bad" : bulk.state === "paused" ? "warn" : "fly";
  return { text: bulk.state === "selecting" ? "selecting" : `${bulk.state}, ${percentOf(bulk)} %`, tone };
}
