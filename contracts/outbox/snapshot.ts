import { z } from "zod";
import { figureSchema, instantSchema } from "../common.ts";
import { statusSchema, verdictSchema } from "../watch/diagnosis.ts";
import { streamSchema } from "./stream.ts";

const relaySummarySchema = z.object({
  alive: z.number(),
  known: z.number(),
  heartbeatAgeSeconds: z.number().nullable(),
  /** null when no sink breaker is open. */
  breaker: z.object({ sink: z.string(), code: z.string(), message: z.string(), since: instantSchema }).nullable(),
  paused: z.object({ reason: z.string(), by: z.string(), until: instantSchema.nullable() }).nullable(),
  /** Paused event types and aggregates while the rest flows; `holds`: aggregates held behind a dead message. */
  partialPauses: z.object({ eventTypes: z.number(), aggregates: z.number(), holds: z.number() }),
  /** The replication slot of relays that read the log. */
  stream: streamSchema.nullable(),
});

/** What an inbox shows of the outbox's published messages; see `GET /inboxes/{inbox}/reconciliation`. */
const consumerSchema = z.object({
  inbox: z.string(),
  /** The inbox's `processWithin`. */
  withinSeconds: z.number(),
  /** Published longer ago than that and not processed, of those that were looked up; `capped`: older ones were not. */
  notProcessed: figureSchema,
  /** Of those that were looked up, without a row that the inbox may have removed: processed, or never processed. */
  unknown: z.number(),
  /** Minimum time since the oldest of them was published. */
  oldestSeconds: z.number().nullable(),
  /** Of the inbox's newest rows, those whose message no outbox holds. */
  unmatchedRows: figureSchema,
  /** On the clock of the outbox's database; null before the first check. */
  checkedAt: instantSchema.nullable(),
  /** Sentence: why it is not known now; null if it is. */
  problem: z.string().nullable(),
});
export type ConsumerFigures = z.infer<typeof consumerSchema>;

export const judgedSchema = z.object({ oldestPending: statusSchema, dead: statusSchema, failed: statusSchema });

export const snapshotSchema = z.object({
  outbox: z.string(),
  asOf: instantSchema,
  tookMs: z.number(),
  counts: z.object({
    pending: figureSchema,
    failed: figureSchema,
    in_flight: figureSchema,
    dead: figureSchema,
    published: figureSchema,
    archived: figureSchema,
    expired: figureSchema,
    unknown: figureSchema,
  }),
  /** `scheduled`: pending, not due yet. `blocked`: pending behind a failed head. Both are part of `pending`. */
  scheduled: figureSchema,
  blocked: z.object({ messages: figureSchema, aggregates: z.number(), oldestAgeSeconds: z.number().nullable() }),
  /** The oldest due message that is not published, in flight included. Null if nothing waits. */
  oldestPending: z.object({ ageSeconds: z.number(), id: z.string() }).nullable(),
  /** False if finding it needs a full scan; then a null `oldestPending` means "unknown". */
  oldestPendingKnown: z.boolean(),
  /**
   * False if rows do not show whether they were published: only a place in the log does, that of our relay
   * (`cdc.mark: none`) or of a connector, or the program that publishes them. Then `unknown` counts the rows without a
   * record, and `pending` is "at least" or unknown.
   */
  rowsTell: z.boolean(),
  /** Age of the oldest live claim; long when a relay cannot finish what it has claimed. */
  oldestClaimSeconds: z.number().nullable(),
  nextRetryInSeconds: z.number().nullable(),
  /**
   * Dead messages that died in the last 24 h; null if not known, as where the rows themselves say that they are dead.
   */
  deadLast24h: z.number().nullable(),
  /** Messages per second over the last 10 to 30 s; null if not yet known. */
  rates: z.object({
    inPerSecond: z.number().nullable(),
    outPerSecond: z.number().nullable(),
    failuresPerSecond: z.number().nullable(),
  }),
  latency: z.object({ p50Ms: z.number(), p99Ms: z.number(), basis: z.string() }).nullable(),
  /** Null for an outbox that our relay does not serve. */
  relays: relaySummarySchema.nullable(),
  thresholds: z.object({
    oldestPending: z.object({ warnSeconds: z.number(), failSeconds: z.number() }),
    dead: z.object({ warn: z.number(), fail: z.number() }),
    failed: z.object({ warn: z.number(), fail: z.number() }),
  }),
  /** Inboxes that have a time limit for processing this outbox's messages. */
  consumers: z.array(consumerSchema),
  /**
   * The connector of Debezium that publishes the outbox; null where none does. Its parts are null if they are not
   * known.
   */
  connector: z
    .object({
      name: z.string(),
      /** Connect's word, e.g. RUNNING. */
      state: z.string().nullable(),
      /** Tasks that run, and tasks there are. */
      tasks: z.object({ running: z.number(), known: z.number() }).nullable(),
      /** Log that the server keeps for its slot, bytes. */
      lagBytes: z.number().nullable(),
      /** Log that it has not confirmed, bytes. */
      unconfirmedBytes: z.number().nullable(),
    })
    .nullable(),
  ordering: z.object({ kind: z.enum(["aggregate", "best_effort", "none"]), reason: z.string().nullable() }),
  /** The figures against their limits, with hysteresis; tiles and health checks show the same. */
  judged: judgedSchema,
  /** Null without a console side. `lastSeenAt` is null if no monitor has ever run. */
  monitor: z.object({ alive: z.boolean(), lastSeenAt: instantSchema.nullable() }).nullable(),
  verdict: verdictSchema,
});
export type Snapshot = z.infer<typeof snapshotSchema>;

const sampleSchema = z.object({
  at: instantSchema,
  inPerSecond: z.number().nullable(),
  outPerSecond: z.number().nullable(),
  failuresPerSecond: z.number().nullable(),
  backlog: z.number().nullable(),
  dead: z.number().nullable(),
  oldestPendingSeconds: z.number().nullable(),
  p50Ms: z.number().nullable(),
  p99Ms: z.number().nullable(),
});
export type Sample = z.infer<typeof sampleSchema>;

export const seriesSchema = z.object({
  outbox: z.string(),
  from: instantSchema,
  to: instantSchema,
  stepSeconds: z.number(),
  /** Time of the first sample; null if there is none yet. */
  watchingSince: instantSchema.nullable(),
  /** Why no samples could be read; null if they were. */
  problem: z.string().nullable(),
  /** One per step that was sampled; a missing step is a gap, not a zero. */
  samples: z.array(sampleSchema),
  /**
   * Marks on the time axis: the newest 12 findings of severity `fail` that opened in the range, and the newest 6
   * deploys.
   */
  marks: z.array(z.object({ at: instantSchema, label: z.string(), kind: z.enum(["finding", "deploy"]) })),
});
export type Series = z.infer<typeof seriesSchema>;

export const seriesQuerySchema = z.object({
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  /** Seconds; rounded up to a step that is kept, with at most 180 steps in the range. */
  step: z.coerce.number().min(1).max(86_400).optional(),
});
