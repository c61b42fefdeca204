import { z } from "zod";
import { BLOCK_KINDS } from "../../domain/message/blocked-aggregate.ts";
import { figureSchema, instantSchema, textSchema } from "../common.ts";
import { messageSummarySchema } from "../message/messages.ts";

export const blockedQuerySchema = z.object({
  cursor: textSchema(8000).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
export type BlockedQuery = z.infer<typeof blockedQuerySchema>;

const blockedAggregateSchema = z.object({
  /** Type and id, as `order/ord-1`; the key of pauses. */
  aggregateKey: z.string(),
  aggregateType: z.string().nullable(),
  aggregateId: z.string(),
  /** The reason that has blocked it the longest. */
  kind: z.enum(BLOCK_KINDS),
  since: instantSchema,
  /** The failed, dead or suspect message; null if none has failed, or if it is gone. */
  head: messageSummarySchema.nullable(),
  /** In force; `held` by the relay behind a dead message. */
  pauses: z.array(
    z.object({
      reason: z.string(),
      by: z.string(),
      at: instantSchema,
      until: instantSchema.nullable(),
      held: z.boolean(),
    }),
  ),
  /** Unsent messages of the aggregate apart from the head; counted up to 10,000. */
  waiting: figureSchema,
});
export type BlockedAggregate = z.infer<typeof blockedAggregateSchema>;

export const blockedListSchema = z.object({
  /** Longest blocked first. */
  aggregates: z.array(blockedAggregateSchema),
  nextCursor: z.string().nullable(),
  /** Aggregates looked at for this page; those with nothing behind their head are left out. */
  looked: z.number(),
  asOf: instantSchema,
  /** Sentence: which aggregates of this outbox cannot be listed, and why; null if all can. */
  unknown: z.string().nullable(),
});
export type BlockedList = z.infer<typeof blockedListSchema>;
