import { z } from "zod";
import { instantSchema, reasonSchema, textSchema } from "../common.ts";
import { streamSchema } from "./stream.ts";

const relayInstanceSchema = z.object({
  id: z.string(),
  outbox: z.string(),
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  startedAt: instantSchema,
  heartbeatAt: instantSchema,
  heartbeatAgeSeconds: z.number(),
  /** `lost`: no heartbeat for 10 s and no clean shutdown. */
  state: z.enum(["owner", "standby", "paused", "holding", "stopping", "stopped", "lost"]),
  source: z.string(),
  sink: z.object({
    name: z.string(),
    kind: z.string(),
    address: z.string(),
    ordering: z.string().optional().describe("Order that the instance keeps; absent if it did not say"),
  }),
  published: z.number(),
  failures: z.number(),
  publishedPerSecond: z.number().nullable(),
  inFlight: z.number(),
  lastPublishedAt: instantSchema.nullable(),
  lastError: z.string().nullable(),
  /** When `lastError` occurred; for a log that cannot be read, since when. */
  lastErrorAt: instantSchema.nullable(),
  breaker: z
    .object({ code: z.string(), message: z.string(), since: instantSchema, nextProbeAt: instantSchema.nullable() })
    .nullable(),
  /** Routes held back because all their messages fail, while the rest flows; longest outage first. */
  routes: z.array(
    z.object({
      kind: z.enum(["event_type", "topic"]),
      name: z.string(),
      code: z.string(),
      message: z.string(),
      /** The first failure of the outage. */
      since: instantSchema,
      nextProbeAt: instantSchema.nullable(),
      /** Aggregates that failed or wait, among those the relay has read. */
      aggregates: z.number(),
    }),
  ),
  /** Claimed messages that another program had published or removed when we settled them; cumulative. */
  foreignPublished: z.number(),
  /** Rows that another program published and the relay never claimed, as far as it looked; cumulative. */
  foreignUnclaimed: z.number(),
  foreignSince: instantSchema.nullable(),
  foreignLastAt: instantSchema.nullable(),
  /** The relay host's wall clock minus the database's clock, ms; null when it was never measured. */
  clockOffsetMs: z.number().nullable(),
  /** Start of the oldest settle still being written at the relay's last heartbeat. */
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
      /** Empty if never owned. */
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
      /** Dead message behind which the relay holds the aggregate (`onDead: hold`); null for a pause by a person. */
      messageId: z.string().nullable(),
    }),
  ),
  /** Number of active pauses not listed; the newest 200 of each outbox are listed. */
  morePauses: z.number(),
  /** Outboxes whose relays could not be read; the lists above leave them out. */
  problems: z.array(z.object({ outbox: z.string(), message: z.string() })),
  /** Outboxes that no relay of ours publishes until a person decides what the message asks. */
  undecided: z.array(z.object({ outbox: z.string(), message: z.string() })),
  /** `alive`: null if not known, because there is no console database or it does not answer. */
  monitor: z.object({
    alive: z.boolean().nullable(),
    id: z.string().nullable(),
    heartbeatAgeSeconds: z.number().nullable(),
  }),
  asOf: instantSchema,
});
export type RelayList = z.infer<typeof relayListSchema>;
export const pauseAnswerSchema = relayListSchema.extend({
  /** Set if no message matches the pause at this moment. */
  notice: z.string().nullable(),
});

const subjectFields = {
  /** Only messages of this type; later messages of their aggregates wait too. */
  eventType: textSchema(500).min(1).optional(),
  /** Only this aggregate: `<type>/<id>`, or the id where the outbox has no aggregate types. */
  aggregateKey: textSchema(1000).min(1).optional(),
};
const oneSubject = (request: { eventType?: string; aggregateKey?: string }) =>
  request.eventType === undefined || request.aggregateKey === undefined;
const ONE_SUBJECT = { message: "Name an event type or an aggregate, not both." };

export const pauseRequestSchema = z
  .strictObject({
    reason: reasonSchema,
    /** Minutes until automatic resume; null = until someone resumes. */
    minutes: z.number().int().min(1).max(10_080).nullable().default(60),
    ...subjectFields,
  })
  .refine(oneSubject, ONE_SUBJECT);
export type PauseRequest = z.infer<typeof pauseRequestSchema>;
export const resumeRequestSchema = z
  .strictObject({ reason: reasonSchema, ...subjectFields })
  .refine(oneSubject, ONE_SUBJECT);
export type ResumeRequest = z.infer<typeof resumeRequestSchema>;
