import { z } from "zod";
import { absentSchema, figureSchema, instantSchema, modeSchema, reasonSchema } from "../common.ts";
import { fleetVerdictSchema, verdictSchema } from "../watch/diagnosis.ts";
import { judgedSchema } from "./snapshot.ts";

const outboxSummarySchema = z.object({
  name: z.string(),
  store: z.string(),
  /** e.g. `public.outbox_events` */
  table: z.string(),
  shape: z.string(),
  mode: modeSchema,
  /** Connector of Debezium that publishes the outbox; null where none does. */
  connector: z.string().nullable(),
  /** Null when the database did not answer; then `problem` says why. */
  figures: z
    .object({
      asOf: instantSchema,
      pending: figureSchema,
      failed: figureSchema,
      inFlight: figureSchema,
      dead: figureSchema,
      oldestPendingSeconds: z.number().nullable(),
      inPerSecond: z.number().nullable(),
      outPerSecond: z.number().nullable(),
      /** Null for an outbox that our relay does not serve. */
      relays: z.object({ alive: z.number(), known: z.number() }).nullable(),
      /** The figures against their limits, as in the snapshot. */
      judged: judgedSchema,
    })
    .nullable(),
  /**
   * Always set: an outbox that cannot be read is `unknown`, or `not_delivering` if for the same reason our relay publishes
   * nothing, with `problem` as its cause.
   */
  verdict: verdictSchema,
  /** Why there are no figures; or, with figures, the reason why the outbox is stopped until a person decides. */
  problem: z.string().nullable(),
  absent: absentSchema,
});
export type OutboxSummary = z.infer<typeof outboxSummarySchema>;

/** Capacity units that this console has read from the team's tables; null if reads are not paid by the unit. */
const readUnitsSchema = z.object({ used: z.number(), perMinute: z.number() }).nullable();

export const outboxListSchema = z.object({
  environment: z.string().nullable(),
  version: z.string(),
  asOf: instantSchema,
  /** Worst first; within a word the longest wait first, then in configured order. */
  outboxes: z.array(outboxSummarySchema),
  fleet: fleetVerdictSchema,
  stores: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      address: z.string(),
      outboxes: z.number(),
      notDelivering: z.number(),
      /** False if it did not answer. */
      answers: z.boolean(),
      /**
       * Duration of its slowest snapshot, ms; null if there is none: it did not answer, was too slow, or has no outbox.
       */
      answersMs: z.number().nullable(),
      /** The console's clock minus the database's. */
      clockOffsetMs: z.number().nullable(),
      readUnits: readUnitsSchema,
      /** Note for the reader of its figures, e.g. why it does not answer. */
      note: z.string().nullable(),
    }),
  ),
  /** If there is no outbox: the tables inspected in each store that could be read. Otherwise empty. */
  looked: z.array(z.object({ store: z.string(), address: z.string(), tables: z.array(z.string()) })),
  /** Tables that may be outboxes, which a person has to say; shown whether or not there are outboxes. */
  candidates: z.array(
    z.object({
      store: z.string(),
      /** e.g. `public.message_log` */
      table: z.string(),
      /** 0 to 100. */
      score: z.number(),
      /** The question for a person, e.g. which column is the payload. */
      question: z.string(),
      /** Sentences: evidence for an outbox and against it. */
      evidence: z.array(z.string()),
      /** Column by role, as far as they were recognised. */
      columns: z.record(z.string(), z.string()),
    }),
  ),
  /** Names of the configured or found inboxes. */
  inboxes: z.array(z.string()),
  /** Stores that could not be reached or read, and outboxes stopped until a person decides; one sentence each. */
  problems: z.array(z.object({ store: z.string(), message: z.string() })),
});
export type OutboxList = z.infer<typeof outboxListSchema>;

/** Reason for taking a missing outbox or inbox off the list. */
export const forgetRequestSchema = z.strictObject({ reason: reasonSchema });
export type ForgetRequest = z.infer<typeof forgetRequestSchema>;

export const outboxDetailSchema = z.object({
  name: z.string(),
  store: z.string(),
  storeAddress: z.string(),
  readUnits: readUnitsSchema,
  table: z.string(),
  mode: modeSchema,
  shape: z.object({
    slug: z.string(),
    title: z.string(),
    confidence: z.enum(["exact", "likely", "configured"]),
    question: z.string().nullable(),
  }),
  primaryKey: z.array(z.string()),
  roles: z.array(
    z.object({ role: z.string(), column: z.string(), type: z.string(), from: z.enum(["shape", "config"]) }),
  ),
  lifecycle: z.object({
    kind: z.enum(["timestamp", "status", "flag", "delete", "log", "rules", "untold", "unknown"]),
    text: z.string(),
  }),
  /** Possible actions on this table, and the reason for each that is not possible. */
  capabilities: z.object({
    actions: z.record(
      z.string(),
      z.object({ possible: z.boolean(), reason: z.string().nullable(), how: z.string().nullable() }),
    ),
    /** Corrected copies of failed and dead messages; `reason`: a sentence, why not. */
    corrections: z.object({ possible: z.boolean(), reason: z.string().nullable() }),
    attemptsRecorded: z.boolean(),
    ordering: z.object({ kind: z.enum(["aggregate", "best_effort", "none"]), reason: z.string().nullable() }),
  }),
  missingIndexes: z.array(z.object({ purpose: z.string(), sql: z.string().nullable() })),
  thresholds: z.array(z.object({ name: z.string(), warn: z.string(), fail: z.string() })),
  relay: z
    .object({
      source: z.string(),
      sink: z.string(),
      maxAttempts: z.number(),
      retry: z.string(),
      onFailure: z.string(),
      onDead: z.string(),
    })
    .nullable(),
  warnings: z.array(z.string()),
});
export type OutboxDetail = z.infer<typeof outboxDetailSchema>;
