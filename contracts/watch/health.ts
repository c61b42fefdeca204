import { z } from "zod";
import { instantSchema } from "../common.ts";
import { statusSchema } from "./diagnosis.ts";

const healthCheckSchema = z.object({
  componentType: z.string(),
  status: statusSchema,
  observedValue: z.union([z.number(), z.string(), z.null()]).optional(),
  observedUnit: z.string().optional(),
  time: instantSchema.optional(),
  output: z.string().optional(),
  threshold: z.object({ warn: z.number().optional(), fail: z.number().optional() }).optional(),
  since: instantSchema.optional(),
  hint: z.string().optional(),
  links: z.record(z.string(), z.string()).optional(),
});
/** application/health+json; draft-inadarei-api-health-check-06 with our additions. */
export const healthSchema = z.object({
  status: statusSchema,
  version: z.string().optional(),
  description: z.string().optional(),
  output: z.string().optional(),
  asOf: instantSchema.optional(),
  checks: z.record(z.string(), z.array(healthCheckSchema)).optional(),
});
export type Health = z.infer<typeof healthSchema>;
export type HealthCheck = z.infer<typeof healthCheckSchema>;

export const healthQuerySchema = z.object({
  outbox: z.string().max(100).optional(),
  /** `1` makes warn answer 503 too. */
  strict: z.enum(["0", "1"]).optional(),
});
