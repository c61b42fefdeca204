import { z } from "zod";
import { absentSchema, figureSchema, instantSchema, textSchema } from "../common.ts";

const inboxSummarySchema = z.object({
  name: z.string(),
  store: z.string(),
  table: z.string(),
  consumer: z.string().nullable(),
  /** Where its messages come from; null if several outboxes are named, or none. */
  outbox: z.string().nullable(),
  outboxes: z.array(z.string()),
  /** The time in which its consumer processes a message; null: it is not checked against its outboxes. */
  processWithinSeconds: z.number().nullable(),
  shape: z.string(),
  /** Whether the table says of a row that it is not processed yet, or failed. */
  tracksProcessing: z.boolean(),
  /** How the table says that a message was processed; `none`: it does not. */
  mark: z.enum(["time", "flag", "status", "rules", "none"]),
  /** What `perMinute` counts: rows by their time of processing or, where the table has none, by that of receipt. */
  paceOf: z.enum(["processed", "received"]),
  figures: z
    .object({
      asOf: instantSchema,
      total: figureSchema,
      unprocessed: figureSchema,
      /** Rows whose last attempt failed; 0 where the table does not say. */
      failed: figureSchema,
      oldestUnprocessedSeconds: z.number().nullable(),
      lastProcessedAt: instantSchema.nullable(),
      perMinute: z.number().nullable(),
    })
    .nullable(),
  problem: z.string().nullable(),
  /** What a person has to answer about its columns; null if nothing is open. */
  question: z.string().nullable(),
  absent: absentSchema,
});
export type InboxSummary = z.infer<typeof inboxSummarySchema>;
export const inboxListSchema = z.object({
  inboxes: z.array(inboxSummarySchema),
  /**
   * Tables that are inboxes if a person says so, each with the question and the lines for outbox.yaml that answer it.
   */
  candidates: z.array(z.object({ store: z.string(), table: z.string(), question: z.string(), lines: z.string() })),
  asOf: instantSchema,
});
export type InboxList = z.infer<typeof inboxListSchema>;

export const inboxQuerySchema = z.object({
  state: z.enum(["all", "unprocessed", "processed", "failed"]).default("all"),
  /** Exact message id. */
  q: textSchema(300).optional(),
  consumer: textSchema(300).optional(),
  cursor: textSchema(2000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type InboxQuery = z.infer<typeof inboxQuerySchema>;

export const inboxMessageSchema = z.object({
  id: z.string(),
  messageId: z.string().nullable(),
  consumer: z.string().nullable(),
  eventType: z.string().nullable(),
  /** `received`: it arrived, and the table does not say whether it was processed. */
  state: z.enum(["processed", "unprocessed", "failed", "received"]),
  receivedAt: instantSchema.nullable(),
  processedAt: instantSchema.nullable(),
  ageSeconds: z.number().nullable(),
});
export const inboxMessageListSchema = z.object({
  messages: z.array(inboxMessageSchema),
  nextCursor: z.string().nullable(),
  asOf: instantSchema,
});
export type InboxMessage = z.infer<typeof inboxMessageSchema>;
export type InboxMessageList = z.infer<typeof inboxMessageListSchema>;
