import { z } from "zod";
import { name, requiredDuration } from "./value-schemas.ts";

const statusWords = z.array(z.string().min(1)).min(1).optional();

export const inboxSchema = z.strictObject({
  store: name.default("default"),
  table: z.string().min(1),
  consumer: z.string().optional(),
  /** One or several. */
  outbox: z.union([name, z.array(name).min(1)]).optional(),
  /** Ms. Published messages are then looked up here. */
  processWithin: requiredDuration.refine((ms) => ms >= 1000, "must be at least 1s").optional(),
  /** Event types that the consumer takes; default: all. */
  eventTypes: z.array(z.string().min(1)).min(1).optional(),
  /** Ms for which the inbox keeps its rows at least; default: as the rows show. */
  keeps: requiredDuration.optional(),
  /** Columns that say nothing of whether a message is processed. */
  ignoredColumns: z.array(z.string().min(1)).min(1).optional(),
  /** What the words of its status mean. */
  words: z.strictObject({ waiting: statusWords, processed: statusWords, failed: statusWords }).optional(),
  /** Rows that are processed and older are removed; without it none is. */
  retention: z
    .strictObject({ keep: requiredDuration.refine((ms) => ms >= 3_600_000, "must be at least 1h") })
    .optional(),
});

export type InboxConfig = z.output<typeof inboxSchema>;

/** The outboxes whose messages arrive in an inbox; empty if the configuration names none. */
export function outboxesOf({ outbox }: Pick<InboxConfig, "outbox">): readonly string[] {
  return outbox === undefined ? [] : typeof outbox === "string" ? [outbox] : outbox;
}
