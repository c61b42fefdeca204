import type { MessageSelection, OperationRequest } from "#contracts/operations.ts";
import type { MessageAction } from "#domain/message-state.ts";

/** The operator's request for an action on everything that a filter matches, or on items of an earlier operation. */
export interface BulkAsk {
  action: MessageAction;
  select: { filter: MessageSelection } | { itemsOf: NonNullable<OperationRequest["itemsOf"]> };
  /** What was selected, after "of <outbox>": "dead messages with type order.placed". */
  words: string;
}
