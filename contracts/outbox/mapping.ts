import { z } from "zod";
import { figureSchema, instantSchema, reasonSchema, stateSchema, textSchema } from "../common.ts";

const wordsSchema = z.array(textSchema(300)).max(200);

/** A mapping as a person proposes it, in the terms of outbox.yaml. */
export const mappingProposalSchema = z.strictObject({
  /** Column by role; roles that are left out are recognised. */
  columns: z.record(z.string(), textSchema(300)).default({}),
  /** Slug of a library's table, or `none`. */
  shape: textSchema(100).optional(),
  lifecycle: z
    .strictObject({
      kind: z.enum(["timestamp", "status", "flag", "delete"]),
      /** Null: a row without a status is new. */
      pending: z.array(textSchema(300).nullable()).max(200).optional(),
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

/** `version`: that of the preview; a file that has changed since is not overwritten. */
export const saveMappingSchema = z.strictObject({
  proposal: mappingProposalSchema,
  version: textSchema(100),
  reason: reasonSchema,
});
export type SaveMapping = z.infer<typeof saveMappingSchema>;

export const ignoreTableSchema = z.strictObject({ reason: reasonSchema });

export const savedMappingSchema = z.object({
  /** Name of the outbox; null for a table that is none. */
  outbox: z.string().nullable(),
  /** Sentences: what was saved, and what remains to do. */
  message: z.string(),
});
export type SavedMapping = z.infer<typeof savedMappingSchema>;

/** The proposal's table as it would be shown: read now, nothing written. */
export const mappingPreviewSchema = z.object({
  outbox: z.string(),
  table: z.string(),
  asOf: instantSchema.nullable(),
  /** The configured or proposed mapping, as a start for another proposal. */
  proposal: mappingProposalSchema,
  /** Why the table cannot be mapped so, as a sentence; the rest is then empty. */
  problem: z.string().nullable(),
  shape: z.object({ slug: z.string(), title: z.string(), confidence: z.enum(["exact", "likely", "configured"]) }),
  question: z.string().nullable(),
  /** The proposal that answers the question with the mapping shown; null if that does not answer it. */
  answer: mappingProposalSchema.nullable(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  /** Every role, `required` ones first; `column` is null if no column has the role. */
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
  /** Doubts about the proposal, as sentences. */
  warnings: z.array(z.string()),
  /** SQL that each action would run. */
  statements: z.array(
    z.object({
      action: z.enum(["retry", "dead-letter", "archive"]),
      sql: z.string().nullable(),
      note: z.string().nullable(),
    }),
  ),
  /** Block of outbox.yaml that says the same. */
  yaml: z.string(),
  save: z.object({
    /** Name of the configuration's file. */
    file: z.string(),
    /** Version of the file's entry for this outbox, to be sent back when saving. */
    version: z.string(),
    /** Why it cannot be saved by this person, as a sentence; null if it can. */
    refusal: z.string().nullable(),
    /** The file names the outbox already. */
    configured: z.boolean(),
  }),
});
export type MappingPreview = z.infer<typeof mappingPreviewSchema>;
