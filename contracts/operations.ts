import { z } from "zod";
import { actionSchema, instantSchema, stateSchema, textSchema } from "./common.ts";

export const operationRequestSchema = z.strictObject({
  action: actionSchema,
  targets: z
    .array(z.strictObject({ id: z.string().min(1).max(2000), version: z.string().max(200) }))
    .min(1)
    .max(100),
  reason: textSchema(500).trim().min(3, "a reason of at least 3 characters is needed"),
  dryRun: z.boolean().optional(),
});
export type OperationRequest = z.infer<typeof operationRequestSchema>;

/**
 * Outcome for one message. `done` is the only success. `unknown`: the connection was lost during commit; this stands
 * until the operation's record is completed from the audit.
 */
export const operationOutcomeSchema = z.object({
  id: z.string(),
  outcome: z.enum(["done", "skipped", "failed", "unknown"]),
  /** API error code: why it was skipped, failed or is unknown. */
  code: z.string().nullable(),
  message: z.string(),
  stateBefore: stateSchema.nullable(),
  stateAfter: stateSchema.nullable(),
  version: z.string().nullable(),
});
export type OperationOutcome = z.infer<typeof operationOutcomeSchema>;

export const operationSchema = z.object({
  id: z.string(),
  outbox: z.string(),
  action: actionSchema,
  actor: z.string(),
  reason: z.string(),
  at: instantSchema,
  dryRun: z.boolean(),
  /** False while outcomes may still change; `GET /operations/{id}` has the final ones once it is true. */
  finished: z.boolean().default(true),
  done: z.number(),
  skipped: z.number(),
  failed: z.number(),
  unknown: z.number().default(0),
  outcomes: z.array(operationOutcomeSchema),
});
export type Operation = z.infer<typeof operationSchema>;
