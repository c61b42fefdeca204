import { z } from "zod";
import { figureSchema, instantSchema } from "../common.ts";

/** Why a result is not known now. `since`: time of the first failed reading; null if it can never be read. */
const uncheckedSchema = z.object({
  reason: z.string(),
  since: instantSchema.nullable(),
  /** SQL of the index that would help. */
  index: z.string().nullable(),
});

const lookedShape = {
  /** On the database's clock. */
  asOf: instantSchema,
  checked: z.number(),
  /** One sentence: the scope of the check, and what it left out. */
  looked: z.string(),
};

/** A published message that the consumer has not processed within its limit. */
const missedMessageSchema = z.object({
  id: z.string(),
  /** The id that consumers record. */
  eventId: z.string(),
  eventType: z.string().nullable(),
  createdAt: instantSchema.nullable(),
  publishedAt: instantSchema.nullable(),
  /** Minimum time since it was published. */
  publishedSeconds: z.number(),
  /** State of its row in the inbox; `absent`: no row. */
  seenAs: z.enum(["absent", "unprocessed", "failed"]),
});
export type MissedMessage = z.infer<typeof missedMessageSchema>;

const pairCheckSchema = z.object({
  ...lookedShape,
  processed: z.number(),
  /** Not processed, and published for less than the limit. */
  recent: z.number(),
  /** Absent where the inbox may have removed the row. */
  unknown: z.number(),
  /** `capped`: older published messages were not looked up. */
  notProcessed: figureSchema,
  reasons: z.object({ absent: z.number(), unprocessed: z.number(), failed: z.number() }),
  /** The inbox is known to keep its rows since this time; null: not known. */
  keptSince: instantSchema.nullable(),
  /** The first 100 of those not processed, longest published first. */
  messages: z.array(missedMessageSchema),
});

const unmatchedRowSchema = z.object({
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
  /** Lines for outbox.yaml that would start the check, with a guessed outbox; null once it is configured. */
  suggestion: z.object({ outboxes: z.array(z.string()), yaml: z.string() }).nullable(),
  outboxes: z.array(
    z.object({
      outbox: z.string(),
      /** The last check; null before the first, and if none is possible. */
      check: pairCheckSchema.nullable(),
      /** Why the present result is not known, while `check` is an older one; null if `check` is current. */
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
