import { z } from "zod";
import {
  type BulkSettings,
  bulkSettingsSchema,
  type MessageSelection,
  messageSelectionSchema,
  type OperationRequest,
} from "#contracts/message/operations.ts";
import { formatCount, formatPlural } from "#domain/format.ts";
import { type BulkAction, canFailAgain, ITEM_OUTCOMES } from "#domain/message/bulk-operation.ts";

/** The messages of a bulk operation: those that a filter matches, those named, or items of an earlier operation. */
const selectionSchema = z.union([
  z.object({ filter: messageSelectionSchema }),
  z.object({ targets: z.array(z.object({ id: z.string(), version: z.string() })) }),
  z.object({ itemsOf: z.object({ operation: z.string(), outcomes: z.array(z.enum(ITEM_OUTCOMES)) }) }),
]);
export type BulkSelection = z.infer<typeof selectionSchema>;

/** The request of a bulk operation, as it is stored. */
export const bulkPlanSchema = z.object({
  selection: selectionSchema,
  settings: bulkSettingsSchema,
  /** Of a re-publish. Chosen at its start: a change of the configuration does not send it elsewhere. */
  sink: z.string().nullable().default(null),
  /** The primary key that the ids of its items encode; null in a record of an older version. */
  key: z
    .array(z.object({ name: z.string(), type: z.string() }))
    .nullable()
    .default(null),
});
export type BulkPlan = z.infer<typeof bulkPlanSchema>;

/** Only actions that can fail again have a canary; the result of any other is known at once. */
export function planOf(
  request: Omit<OperationRequest, "sink">,
  { sink = null, key = null }: Partial<Pick<BulkPlan, "sink" | "key">> = {},
): BulkPlan {
  const settings: BulkSettings = request.settings ?? bulkSettingsSchema.parse({});
  return {
    selection: selectionOf(request),
    settings: canFailAgain(request.action) ? settings : { ...settings, canary: 0 },
    sink,
    key,
  };
}

function selectionOf({ filter, targets, itemsOf }: Omit<OperationRequest, "sink">): BulkSelection {
  if (filter) return { filter };
  if (itemsOf) return { itemsOf };
  return { targets: targets ?? [] };
}

/** The selection in words, as the object of a sentence. */
export function describeSelection(selection: BulkSelection): string {
  if ("targets" in selection) return `${formatPlural(selection.targets.length, "message")} chosen in the list`;
  if ("itemsOf" in selection) {
    const outcomes = selection.itemsOf.outcomes.map((outcome) => outcome.replace("_", " ")).join(", ");
    return `items of operation ${selection.itemsOf.operation.slice(0, 8)} that are ${outcomes}`;
  }
  return describeFilter(selection.filter);
}

function describeFilter(filter: MessageSelection): string {
  const states: Partial<Record<MessageSelection["state"], string>> = { all: "all", failing: "failed and dead" };
  const state = `${states[filter.state] ?? filter.state.replace("_", " ")} messages`;
  const parts = [
    filter.eventType && `of type ${filter.eventType}`,
    filter.aggregateType && `of aggregates ${filter.aggregateType}`,
    filter.aggregateId && `of aggregate ${filter.aggregateId}`,
    filter.group && `of failure group ${filter.group}`,
    filter.errorCode && `of error code ${filter.errorCode}`,
    filter.error && `whose error contains “${filter.error}”`,
    filter.attemptsMin !== undefined && `with ${formatCount(filter.attemptsMin)} or more attempts`,
    filter.from && `created since ${filter.from}`,
    filter.to && `created before ${filter.to}`,
    filter.traceId && `of trace ${filter.traceId}`,
    filter.q && `that match “${filter.q}”`,
  ];
  return [state, ...parts.filter((part) => typeof part === "string")].join(", ").replace(", of ", " of ");
}

/** Names of an action while it runs and once it is over. */
export const ACTION_WORDS: Record<BulkAction, { doing: string; done: string }> = {
  retry: { doing: "Retrying", done: "Retried" },
  "dead-letter": { doing: "Dead-lettering", done: "Dead-lettered" },
  archive: { doing: "Archiving", done: "Archived" },
  restore: { doing: "Restoring", done: "Restored" },
  purge: { doing: "Purging", done: "Purged" },
  republish: { doing: "Re-publishing", done: "Re-published" },
};
