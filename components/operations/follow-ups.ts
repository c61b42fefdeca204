import { shortenId } from "#components/ui/shorten-id.ts";
import type { Operation } from "#contracts/operations.ts";
import { type ItemOutcome, isEnded } from "#domain/bulk-operation.ts";
import { formatCount } from "#domain/format.ts";
import type { MessageAction } from "#domain/message-state.ts";
import type { BulkAsk } from "./bulk-ask.ts";

/** The action that takes back what another has done, where there is one. */
const UNDONE_BY: Partial<Record<MessageAction, MessageAction>> = { "dead-letter": "retry", archive: "restore" };

/** Outcomes of messages that may be tried again. Refused ones would be refused again. */
const REST: readonly ItemOutcome[] = ["failed_again", "skipped", "cancelled"];

export interface FollowUp {
  ask: BulkAsk;
  count: number;
}

type Ended = Pick<Operation, "id" | "action" | "bulk">;

/** The same action for what is not done yet; undefined while the operation goes on, and if nothing is left. */
export function restOf({ id, action, bulk }: Ended): FollowUp | undefined {
  if (bulk === null || action === "correct" || !isEnded(bulk.state)) return undefined;
  return followUp(
    id,
    action,
    REST.map((outcome) => [outcome, bulk.counts[outcome]] as const),
  );
}

/** The action that takes back what was done; undefined if there is none. */
export function undoOf({ id, action, bulk }: Ended): FollowUp | undefined {
  const undo = action === "correct" ? undefined : UNDONE_BY[action];
  if (bulk === null || undo === undefined || !isEnded(bulk.state)) return undefined;
  return followUp(id, undo, [["done", bulk.counts.done]]);
}

function followUp(
  operation: string,
  action: MessageAction,
  counts: readonly (readonly [ItemOutcome, number])[],
): FollowUp | undefined {
  const found = counts.filter(([, count]) => count > 0);
  const count = found.reduce((sum, [, each]) => sum + each, 0);
  if (count === 0) return undefined;
  const parts = found.map(([outcome, each]) => `${formatCount(each)} ${outcome.replace("_", " ")}`);
  return {
    count,
    ask: {
      action,
      select: { itemsOf: { operation, outcomes: found.map(([outcome]) => outcome) } },
      words: `${parts.join(", ")} in operation ${shortenId(operation)}`,
    },
  };
}
