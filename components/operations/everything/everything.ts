import { type ActionScope, bulkOff, scopeReason } from "#components/action/plan-action.ts";
import {
  FILTER_FIELDS,
  FILTER_LABELS,
  type MessageFilters,
  type MessageTab,
} from "#components/filters/message-filters.ts";
import { type MessageSelection, messageSelectionSchema } from "#contracts/message/operations.ts";
import { type BulkAction, isPossible, whyNotPossible } from "#domain/message/bulk-operation.ts";
import { type MessageState, UNSENT_STATES } from "#domain/message/message-state.ts";

/** The list's filter as a selection of all that match; null if the filter is not valid. */
export function selectionOf({ state, fields }: MessageFilters): MessageSelection | null {
  return messageSelectionSchema.safeParse({ state, ...fields }).data ?? null;
}

/** "dead messages, type order.placed": what a filter selects, in words. */
export function describeFilters({ state, fields }: MessageFilters): string {
  const parts = FILTER_FIELDS.flatMap((field) => {
    const value = fields[field];
    return value === undefined ? [] : [`${FILTER_LABELS[field]} ${value}`];
  });
  return [TAB_SUBJECTS[state], ...parts].join(", ");
}

const TAB_SUBJECTS: Record<MessageTab, string> = {
  all: "messages in any state",
  unsent: "messages that are not published",
  pending: "pending messages",
  in_flight: "messages in flight",
  failed: "failed messages",
  failing: "failed and dead messages",
  dead: "dead messages",
  published: "published messages",
  archived: "archived messages",
  expired: "expired messages",
  unknown: "messages of unknown state",
};

/** Why an action is not possible on any message of a tab; undefined if it is possible on some. */
export function everythingBlocked(action: BulkAction, filters: MessageFilters, scope: ActionScope): string | undefined {
  const reason = scopeReason(action, scope) ?? bulkOff(scope);
  if (reason !== undefined) return reason;
  if (selectionOf(filters) === null) return "A filter is not valid: correct or remove it.";
  const { state } = filters;
  if (state === "all") return undefined;
  const [first, ...others] = statesOf(state);
  const unclaimed = (each: MessageState) => ({ state: each, claimExpired: false, claimUndated: false });
  if ([first, ...others].some((each) => isPossible(action, unclaimed(each)))) return undefined;
  return whyNotPossible(action, unclaimed(first));
}

function statesOf(tab: Exclude<MessageTab, "all">): readonly [MessageState, ...MessageState[]] {
  if (tab === "unsent") return UNSENT_STATES;
  return tab === "failing" ? ["failed", "dead"] : [tab];
}
