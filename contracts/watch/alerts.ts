import { z } from "zod";
import { instantSchema } from "../common.ts";
import { statusSchema } from "./diagnosis.ts";

const alertSchema = z.object({
  id: z.number(),
  webhook: z.string(),
  outbox: z.string(),
  event: z.enum(["trigger", "resolve", "test"]),
  status: statusSchema,
  /** Sentence: the diagnosis at that time. */
  summary: z.string(),
  at: instantSchema,
  attempts: z.number(),
  deliveredAt: instantSchema.nullable(),
  /** Null when it was delivered or given up. */
  nextAttemptAt: instantSchema.nullable(),
  /** Why the last attempt failed. */
  error: z.string().nullable(),
});

export const alertListSchema = z.object({
  webhooks: z.array(
    z.object({
      name: z.string(),
      format: z.enum(["json", "slack", "pagerduty"]),
      /** Host of its URL; the rest of the URL may be a secret. */
      host: z.string(),
      /** Null: every outbox. */
      outboxes: z.array(z.string()).nullable(),
      from: z.enum(["warn", "fail"]),
      afterSeconds: z.number(),
      resolveAfterSeconds: z.number(),
    }),
  ),
  /** The newest 50, newest first. */
  alerts: z.array(alertSchema),
  /** Whether a worker is alive that sends them; null if not known. */
  monitorAlive: z.boolean().nullable(),
  asOf: instantSchema,
});
export type AlertList = z.infer<typeof alertListSchema>;
