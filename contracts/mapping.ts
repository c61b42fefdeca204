import { z } from "zod";
import { figureSchema, instantSchema, stateSchema, textSchema } from "./common.ts";

const wordsSchema = z.array(textSchema(300)).max(200);

/** A mapping as a person proposes it, in the terms of outbox.yaml. Nothing of it is saved. */
export const mappingProposalSchema = z.strictObject({
  /** Column by role; roles that are left out are recognised. */
  columns: z.record(z.string(), textSchema(300)).default({}),
  /** Slug of a library's table, or `none`. */
  shape: textSchema(100).optional(),
  lifecycle: z
    .strictObject({
      kind: z.enum(["timestamp", "status", "flag", "delete"]),
      pending: wordsSchema.optional(),
      inFlight: wordsSchema.optional(),
      failed: wordsSchema.optional(),
      published: wordsSchema.optional(),
      dead: wordsSchema.optional(),
      expired: wordsSchema.optional(),
    })
    .optional(),
  timeZone: textSchema(100).optional(),
});
export type MappingProposal = z.infer<typeof mappingProposalSchema>;

/** The proposal's table as it would be shown: read now, nothing written. */
export const mappingPreviewSchema = z.object({
  outbox: z.string(),
  table: z.string(),
  asOf: instantSchema.nullable(),
  /** Why the table cannot be mapped so, as a sentence; the rest is then empty. */
  problem: z.string().nullable(),
  shape: z.object({ slug: z.string(), title: z.string(), confidence: z.enum(["exact", "likely", "configured"]) }),
  question: z.string().nullable(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  /** Every role there is, `required` first; `column` is null where none has it. */
  roles: z.array(
    z.object({ role: z.string(), column: z.string().nullable(), required: z.boolean(), configured: z.boolean() }),
  ),
  lifecycle: z.object({ kind: z.string(), text: z.string() }),
  /** Values of the column that marks the state, most frequent first, among the `read` newest rows. */
  values: z
    .object({
      column: z.string(),
      read: z.number(),
      more: z.boolean(),
      values: z.array(z.object({ value: z.string().nullable(), rows: z.number(), state: stateSchema.nullable() })),
    })
    .nullable(),
  counts: z.record(z.string(), figureSchema),
  rows: z.array(
    z.object({
      id: z.string(),
      state: stateSchema,
      eventType: z.string().nullable(),
      aggregateId: z.string().nullable(),
      ageSeconds: z.number().nullable(),
      attempts: z.number().nullable(),
      lastError: z.string().nullable(),
    }),
  ),
  /** What looks wrong about the proposal, as sentences. */
  warnings: z.array(z.string()),
  /** What each action would write. */
  statements: z.array(
    z.object({
      action: z.enum(["retry", "dead-letter", "archive"]),
      sql: z.string().nullable(),
      note: z.string().nullable(),
    }),
  ),
  /** Block of outbox.yaml that says the same. */
  yaml: z.string(),
});
export type MappingPreview = z.infer<typeof mappingPreviewSchema>;
