import { z } from "zod";
import { figureSchema, instantSchema } from "../common.ts";

/** Why something is not known now. `since`: when it was first not read; null if it never can be. */
export const uncheckedSchema = z.object({
  reason: z.string(),
  since: instantSchema.nullable(),
  /** SQL of the index that would help. */
  index: z.string().nullable(),
});

const lookedShape = {
  /** On the database's clock. */
  asOf: instantSchema,
  checked: z.number(),
  /** One sentence: what was looked at, and what was not. */
  looked: z.string(),
};

/** A published message that the consumer has not processed within its limit. */
export const missedMessageSchema = z.object({
  id: z.string(),
  /** The id that consumers record. */
  eventId: z.string(),
  eventType: z.string().nullable(),
  createdAt: instantSchema.nullable(),
  publishedAt: instantSchema.nullable(),
  /** The least time for which it has been published. */
  publishedSeconds: z.number(),
  /** What the inbox has of it; `absent`: no row. */
  seenAs: z.enum(["absent", "unprocessed", "failed"]),
});
export type MissedMessage = z.infer<typeof missedMessageSchema>;

export const pairCheckSchema = z.object({
  ...lookedShape,
  processed: z.number(),
  /** Not processed, and published for less than the limit. */
  recent: z.number(),
  /** Absent where the inbox may have removed the row. */
  unknown: z.number(),
  /** `capped`: older published messages were not looked up. */
  notProcessed: figureSchema,
  reasons: z.object({ absent: z.number(), unprocessed: z.number(), failed: z.number() }),
  /** From when on the inbox is known to keep its rows; null: not known. */
  keptSince: instantSchema.nullable(),
  /** The first 100 of those not processed, longest published first. */
  messages: z.array(missedMessageSchema),
});

export const unmatchedRowSchema = z.object({
  id: z.string(),
  messageId: z.string(),
  consumer: z.string().nullable(),
  eventType: z.string().nullable(),
  at: instantSchema.nullable(),
});
export type UnmatchedRow = z.infer<typeof unmatchedRowSchema>;

/** What an inbox shows of the published messages of its outboxes, and the other way round. */
export const reconciliationSchema = z.object({
  inbox: z.string(),
  /** The inbox's `processWithin`; null: it is not configured, and nothing is checked. */
  withinSeconds: z.number().nullable(),
  eventTypes: z.array(z.string()).nullable(),
  /** The inbox's `keeps`; null: as its rows show. */
  keepsSeconds: z.number().nullable(),
  /** Lines for outbox.yaml that would begin the check, with a guess of the outbox; null once it is configured. */
  suggestion: z.object({ outboxes: z.array(z.string()), yaml: z.string() }).nullable(),
  outboxes: z.array(
    z.object({
      outbox: z.string(),
      /** The last check; null before the first, and where none is possible. */
      check: pairCheckSchema.nullable(),
      /** Why it is not known now, while `check` is the last that was; null if `check` is the newest. */
      unchecked: uncheckedSchema.nullable(),
    }),
  ),
  /** The first rows of the inbox's list, looked for in its outboxes. */
  rows: z.object({
    check: z
      .object({
        ...lookedShape,
        known: z.number(),
        /** Their message may have been removed from its outbox. */
        unknown: z.number(),
        /** `capped`: other rows were not looked for. */
        unmatched: figureSchema,
        rows: z.array(unmatchedRowSchema),
      })
      .nullable(),
    unchecked: uncheckedSchema.nullable(),
  }),
});
export type Reconciliation = z.infer<typeof reconciliationSchema>;
