import { z } from "zod";
import type { NewItem } from "#db/stores/port/bulk-records.ts";
import { formatCount, formatPlural } from "#domain/format.ts";
import { ITEM_OUTCOMES, type ItemOutcome } from "#domain/message/bulk-operation.ts";
import type { SelectedPage } from "./select-items.ts";

const MOST_EVENTS = 100;

/** Progress that the runner of a bulk operation saves, so that another runner can continue. */
const bulkProgressSchema = z.object({
  /** Where the next page of the selection begins; null at its start. */
  cursor: z.string().nullable(),
  /** The selection is complete. */
  selectedAll: z.boolean(),
  /** Items so far. */
  selected: z.number(),
  /** Messages that wait and were left out, because their own time is after the start; `more`: there are others. */
  leftOut: z.object({ messages: z.number(), more: z.boolean() }).default({ messages: 0, more: false }),
  /** Items by outcome as last counted. */
  counts: z.partialRecord(z.enum([...ITEM_OUTCOMES, "left"]), z.number()),
  /** `from`: the counts when it began. */
  canary: z
    .object({
      size: z.number(),
      published: z.number(),
      failedAgain: z.number(),
      passed: z.boolean(),
      from: z.object({ acted: z.number(), published: z.number(), failedAgain: z.number() }),
    })
    .nullable(),
  /** Items acted on, a second, over the last 10 s. */
  ratePerSecond: z.number().nullable(),
  note: z.string().nullable(),
  /** Newest first. */
  timeline: z.array(z.object({ at: z.string(), kind: z.string(), text: z.string() })),
});
export type BulkProgress = z.infer<typeof bulkProgressSchema>;

export const FIRST_PROGRESS: BulkProgress = {
  cursor: null,
  selectedAll: false,
  selected: 0,
  leftOut: { messages: 0, more: false },
  counts: {},
  canary: null,
  ratePerSecond: null,
  note: null,
  timeline: [],
};

/** The first progress, if none was saved. */
export function readProgress(stored: unknown): BulkProgress {
  return stored === null || stored === undefined ? FIRST_PROGRESS : bulkProgressSchema.parse(stored);
}

export function withEvent(progress: BulkProgress, kind: string, text: string): BulkProgress {
  const event = { at: new Date().toISOString(), kind, text };
  return { ...progress, timeline: [event, ...progress.timeline].slice(0, MOST_EVENTS) };
}

export function countOf(progress: BulkProgress, outcome: ItemOutcome | "left"): number {
  return progress.counts[outcome] ?? 0;
}

/** `items` of them have another outcome now. */
export function withMoved(
  progress: BulkProgress,
  { from, to, items }: { from: "left" | "released"; to: ItemOutcome; items: number },
): BulkProgress {
  const moved = { [from]: countOf(progress, from) - items, [to]: countOf(progress, to) + items };
  return { ...progress, counts: { ...progress.counts, ...moved } };
}

/** `failed`: the word for items that failed. */
export function summaryOf(progress: BulkProgress, done: string, failed: string): string {
  const parts = (["published", "failed_again", "done", "skipped", "refused", "cancelled", "unknown"] as const)
    .filter((outcome) => countOf(progress, outcome) > 0)
    .map((outcome) => {
      const word = outcome === "failed_again" ? failed : outcome;
      return `${formatCount(countOf(progress, outcome))} ${word}`;
    });
  if (parts.length > 0) return `${done}: ${parts.join(", ")}`;
  return progress.leftOut.messages > 0 ? "No message that matched was created before the start" : "No message matched";
}

/** With a page of the selection; `cursor`: null after the last. */
export function withPage(
  progress: BulkProgress,
  {
    items,
    cursor,
    leftOut: left,
  }: Pick<SelectedPage, "cursor" | "leftOut"> & { items: readonly Pick<NewItem, "refused">[] },
): BulkProgress {
  const selected = progress.selected + items.length;
  const refused = countOf(progress, "refused") + items.filter((item) => item.refused !== null).length;
  const counts = { ...progress.counts, refused, left: selected - refused };
  const leftOut = {
    messages: progress.leftOut.messages + (left?.messages ?? 0),
    more: progress.leftOut.more || (left?.more ?? false),
  };
  const after = { ...progress, cursor, selected, counts, leftOut, selectedAll: cursor === null };
  if (cursor !== null) return after;
  const refusals = refused > 0 ? `, ${formatCount(refused)} of them refused` : "";
  return withEvent(after, "selected", `${formatCount(selected)} items written${refusals}${leftOutWords(leftOut)}`);
}

function leftOutWords({ messages, more }: BulkProgress["leftOut"]): string {
  if (messages === 0) return "";
  return `; ${more ? "at least " : ""}${formatPlural(messages, "message")} left out: created after the start, by their own time`;
}
