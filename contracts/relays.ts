import { z } from "zod";
import { instantSchema, textSchema } from "./common.ts";

export const relayInstanceSchema = z.object({
  id: z.string(),
  outbox: z.string(),
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  startedAt: instantSchema,
  heartbeatAt: instantSchema,
  heartbeatAgeSeconds: z.number(),
  /** `lost`: no heartbeat for 10 s without a goodbye. */
  state: z.enum(["owner", "standby", "paused", "holding", "stopping", "stopped", "lost"]),
  source: z.string(),
  sink: z.object({ name: z.string(), kind: z.string(), address: z.string() }),
  published: z.number(),
  failures: z.number(),
  publishedPerSecond: z.number().nullable(),
  inFlight: z.number(),
  lastPublishedAt: instantSchema.nullable(),
  lastError: z.string().nullable(),
  breaker: z
    .object({ code: z.string(), message: z.string(), since: instantSchema, nextProbeAt: instantSchema.nullable() })
    .nullable(),
  lateCommits: z.number(),
  /** How many of the outbox's 32 partitions it owns. */
  partitions: z.number(),
});
export type RelayInstance = z.infer<typeof relayInstanceSchema>;
export const relayListSchema = z.object({
  relays: z.array(relayInstanceSchema),
  leases: z.array(
    z.object({
      outbox: z.string(),
      /** Ascending; all of one owner. */
      partitions: z.array(z.number()),
      /** Empty when nobody ever had them. */
      owner: z.string(),
      epoch: z.number(),
      until: instantSchema,
      expired: z.boolean(),
    }),
  ),
  pauses: z.array(
    z.object({
      outbox: z.string(),
      reason: z.string(),
      by: z.string(),
      at: instantSchema,
      until: instantSchema.nullable(),
    }),
  ),
  monitor: z.object({ alive: z.boolean(), id: z.string().nullable(), heartbeatAgeSeconds: z.number().nullable() }),
  asOf: instantSchema,
});
export type RelayList = z.infer<typeof relayListSchema>;

export const pauseRequestSchema = z.strictObject({
  reason: textSchema(500).trim().min(3),
  /** Minutes until it resumes by itself; null = until someone resumes. */
  minutes: z.number().int().min(1).max(10_080).nullable().default(60),
});
export type PauseRequest = z.infer<typeof pauseRequestSchema>;
export const resumeRequestSchema = z.strictObject({ reason: textSchema(500).trim().min(3) });
