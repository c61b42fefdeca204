import type { MessageSelection, OperationRequest } from "#contracts/message/operations.ts";
import type { BulkAction } from "#domain/message/bulk-operation.ts";
import type { SettingsInput } from "./settings-input.ts";

/**
 * The operator's request for an action on everything that a filter matches, on items of an earlier operation, or on
 * chosen messages.
 */
export interface BulkAsk {
  action: BulkAction;
  select:
    | { filter: MessageSelection }
    | { itemsOf: NonNullable<OperationRequest["itemsOf"]> }
    | { targets: NonNullable<OperationRequest["targets"]> };
  /** What was selected, after "of <outbox>": "dead messages with type order.placed". */
  words: string;
  /** Of a re-publish: the sink that is chosen at first; default: the relay's own. */
  sink?: string;
  /** What stands in the fields of the pace at first; default: nothing, which is the contract's default. */
  pace?: Partial<SettingsInput>;
}
