import { z } from "zod";
import { ITEM_OUTCOMES, type ItemOutcome } from "#domain/bulk-operation.ts";

const MOST_EVENTS = 100;

/** What the runner of a bulk operation saves, so that another one can go on with it. */
export const bulkProgressSchema = z.object({
  /** Where the next page of the selection begins; null at its start. */
  cursor: z.string().nullable(),
  /** The selection is complete. */
  selectedAll: z.boolean(),
  /** Items so far. */
  selected: z.number(),
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
