import { z } from "zod";
import { instantSchema, textSchema } from "./common.ts";
import { streamSchema } from "./stream.ts";

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
  /** Of a log that cannot be read: since when. */
  lastErrorAt: instantSchema.nullable(),
  breaker: z
    .object({ code: z.string(), message: z.string(), since: instantSchema, nextProbeAt: instantSchema.nullable() })
    .nullable(),
  /** Routes that are held back because all their messages fail, while the rest flows; the longest outage first. */
  routes: z.array(
    z.object({
      kind: z.enum(["event_type", "topic"]),
      name: z.string(),
      code: z.string(),
      message: z.string(),
      /** The first failure of the outage. */
      since: instantSchema,
      nextProbeAt: instantSchema.nullable(),
      /** Aggregates that failed or wait, as far as the relay has met them. */
      aggregates: z.number(),
    }),
  ),
  /** Claimed messages that someone else had published or taken away when they were settled; cumulative. */
  foreignPublished: z.number(),
  /** Rows that someone else published and the relay never claimed, as far as it looked; cumulative. */
  foreignUnclaimed: z.number(),
  foreignSince: instantSchema.nullable(),
  foreignLastAt: instantSchema.nullable(),
  /** The relay host's wall clock minus the database's clock, ms; null when it was never measured. */
  clockOffsetMs: z.number().nullable(),
  /** Start of the oldest settle that was being written as the relay last said. */
  settlingSince: instantSchema.nullable(),
  lateCommits: z.number(),
  /** Null for a relay that polls. */
  stream: streamSchema.nullable(),
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
      /** The whole outbox, one event type, or one aggregate. */
      scope: z.enum(["outbox", "event_type", "aggregate"]),
      /** The event type, or the aggregate's key; empty for the whole outbox. */
      subject: z.string(),
      reason: z.string(),
      by: z.string(),
      at: instantSchema,
      until: instantSchema.nullable(),
      /** The dead message behind which the relay itself holds the aggregate (`onDead: hold`); null for a pause by a person. */
      messageId: z.string().nullable(),
    }),
  ),
  /** Pauses in force beyond those listed, the newest 200 of each outbox. */
  morePauses: z.number(),
  /** Outboxes whose relays could not be read; what is listed is of the others. */
  problems: z.array(z.object({ outbox: z.string(), message: z.string() })),
  monitor: z.object({ alive: z.boolean(), id: z.string().nullable(), heartbeatAgeSeconds: z.number().nullable() }),
  asOf: instantSchema,
});
export type RelayList = z.infer<typeof relayListSchema>;
export const pauseAnswerSchema = relayListSchema.extend({
  /** What whoever paused should know: that no message matches at this moment. */
  notice: z.string().nullable(),
});

const subjectFields = {
  /** Only messages of this type; what follows them in their aggregates waits too. */
  eventType: textSchema(500).min(1).optional(),
  /** Only this aggregate: `<type>/<id>`, or the id where the outbox has no aggregate types. */
  aggregateKey: textSchema(1000).min(1).optional(),
};
const oneSubject = (request: { eventType?: string; aggregateKey?: string }) =>
  request.eventType === undefined || request.aggregateKey === undefined;
const ONE_SUBJECT = { message: "Name an event type or an aggregate, not both." };

export const pauseRequestSchema = z
  .strictObject({
    reason: textSchema(500).trim().min(3),
    /** Minutes until it resumes by itself; null = until someone resumes. */
    minutes: z.number().int().min(1).max(10_080).nullable().default(60),
    ...subjectFields,
  })
  .refine(oneSubject, ONE_SUBJECT);
export type PauseRequest = z.infer<typeof pauseRequestSchema>;
export const resumeRequestSchema = z
  .strictObject({ reason: textSchema(500).trim().min(3), ...subjectFields })
  .refine(oneSubject, ONE_SUBJECT);
export type ResumeRequest = z.infer<typeof resumeRequestSchema>;
