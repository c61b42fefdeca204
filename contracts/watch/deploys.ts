import { z } from "zod";
import { boundSchema, instantSchema, textSchema } from "../common.ts";

const wordSchema = textSchema(100).trim().min(1);

export const newDeploySchema = z.strictObject({
  service: wordSchema,
  version: wordSchema,
  /** The only outbox that it concerns; left out: every outbox. */
  outbox: textSchema(300).nullable().default(null),
  /** When it happened; left out: now. At most 30 days ago and 5 minutes ahead. */
  at: boundSchema.optional(),
  /** Page of the deploy, http or https. */
  link: z
    .url({ protocol: /^https?$/, hostname: /./ })
    .max(1000)
    .nullable()
    .default(null),
});
export type NewDeploy = z.infer<typeof newDeploySchema>;

export const deploySchema = z.object({
  id: z.number(),
  service: z.string(),
  version: z.string(),
  /** Null: every outbox. */
  outbox: z.string().nullable(),
  at: instantSchema,
  link: z.string().nullable(),
  reportedBy: z.string(),
});
export type Deploy = z.infer<typeof deploySchema>;

export const deployQuerySchema = z.object({
  /** Deploys that concern this outbox: its own, and those of every outbox. */
  outbox: textSchema(300).optional(),
  /** At or after, before. */
  from: boundSchema.optional(),
  to: boundSchema.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type DeployQuery = z.infer<typeof deployQuerySchema>;

export const deployListSchema = z.object({
  /** Newest first. */
  deploys: z.array(deploySchema),
  /** Sentence: why none can be recorded; null if they can. */
  problem: z.string().nullable(),
  asOf: instantSchema,
});
export type DeployList = z.infer<typeof deployListSchema>;
