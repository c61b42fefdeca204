import { shortenId } from "#components/ui/format/shorten-id.ts";
import type { Bulk, Operation } from "#contracts/message/operations.ts";
import { formatCount } from "#domain/format.ts";
import { type BulkAction, type ItemOutcome, isEnded } from "#domain/message/bulk-operation.ts";
import type { BulkAsk } from "../preview/bulk-ask.ts";

const OUTCOME_WORDS: Partial<Record<ItemOutcome, string>> = { failed_again: "failed again", unknown: "in doubt" };

/** The action that takes back what another has done, where there is one. */
const UNDONE_BY: Partial<Record<BulkAction, BulkAction>> = { "dead-letter": "retry", archive: "restore" };

/**
 * Outcomes of messages that may be tried again. Refused ones would be refused again; in doubt counts for a re-publish.
 */
const REST: readonly ItemOutcome[] = ["failed_again", "skipped", "cancelled"];

export interface FollowUp {
  ask: BulkAsk;
  count: number;
}

type Ended = Pick<Operation, "id" | "action" | "bulk">;

/** The same action for what is not done yet; undefined while the operation goes on, and if nothing is left. */
export function restOf({ id, action, bulk }: Ended): FollowUp | undefined {
  if (bulk === null || action === "correct" || !isEnded(bulk.state) || areItemsGone(bulk)) return undefined;
  const rest = action === "republish" ? [...REST, "unknown" as const] : REST;
  const up = followUp(
    id,
    action,
    rest.map((outcome) => [outcome, bulk.counts[outcome]] as const),
  );
  return up === undefined || bulk.sink === null ? up : { ...up, ask: { ...up.ask, sink: bulk.sink } };
}

/** The action that takes back what was done; undefined if there is none. */
export function undoOf({ id, action, bulk }: Ended): FollowUp | undefined {
  const undo = action === "correct" ? undefined : UNDONE_BY[action];
  if (bulk === null || undo === undefined || !isEnded(bulk.state) || areItemsGone(bulk)) return undefined;
  const up = followUp(id, undo, [["done", bulk.counts.done]]);
  // A canary tries whether a cause is repaired. Here all come back, also while nothing publishes them.
  return up === undefined || undo !== "retry" ? up : { ...up, ask: { ...up.ask, pace: { canary: "0" } } };
}

/** Without its items nothing can be taken up again. */
export function areItemsGone({ itemsKeptUntil }: Pick<Bulk, "itemsKeptUntil">): boolean {
  return itemsKeptUntil !== null && Date.parse(itemsKeptUntil) < Date.now();
}

function followUp(
  operation: string,
  action: BulkAction,
  counts: readonly (readonly [ItemOutcome, number])[],
): FollowUp | undefined {
  const found = counts.filter(([, count]) => count > 0);
  const count = found.reduce((sum, [, each]) => sum + each, 0);
  if (count === 0) return undefined;
  const parts = found.map(([outcome, each]) => `${formatCount(each)} ${OUTCOME_WORDS[outcome] ?? outcome}`);
  return {
    count,
    ask: {
      action,
      select: { itemsOf: { operation, outcomes: found.map(([outcome]) => outcome) } },
      words: `${parts.join(", ")} in operation ${shortenId(operation)}`,
    },
  };
}
