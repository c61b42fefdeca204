import { z } from "zod";
import { FAILURE_GROUPINGS } from "../../domain/message/failure-grouping.ts";
import { traceIdOf } from "../../domain/relay/trace-context.ts";
import { boundSchema, figureSchema, instantSchema, stateSchema, textSchema } from "../common.ts";
import { registeredEventSchema } from "../outbox/registry.ts";
import { groupMarkSchema } from "./groups.ts";

/**
 * Tabs of the list: one state, `unsent` = pending, failed and in flight together, `failing` = failed and dead, or
 * `all`.
 */
const messageTabSchema = z.union([stateSchema, z.enum(["unsent", "failing", "all"])]);

export const messageQuerySchema = z.object({
  state: messageTabSchema.default("unsent"),
  eventType: textSchema(300).optional(),
  aggregateType: textSchema(300).optional(),
  aggregateId: textSchema(300).optional(),
  /** Substring of the last error. */
  error: textSchema(300).optional(),
  /** Fingerprint of a failure group. */
  group: textSchema(64).optional(),
  /** Error code of the last error, where our relay recorded it. */
  errorCode: textSchema(64).optional(),
  attemptsMin: z.coerce.number().int().min(0).max(1_000_000).optional(),
  /** Created at or after / before, RFC 3339. */
  from: boundSchema.optional(),
  to: boundSchema.optional(),
  /** Trace id, with hyphens or without, or a `traceparent`. */
  traceId: textSchema(300)
    .refine((text) => traceIdOf(text) !== null, "is no trace id: 32 hex digits, or a traceparent")
    .overwrite((text) => traceIdOf(text) ?? text)
    .optional(),
  /** Exact id, aggregate id or event type. */
  q: textSchema(300).optional(),
  cursor: textSchema(2000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** 0 omits the number of matches, which is then unknown. Default: 1. */
  count: z.enum(["0", "1"]).optional(),
});
export type MessageQuery = z.infer<typeof messageQuerySchema>;

export const messageSummarySchema = z.object({
  id: z.string(),
  version: z.string(),
  state: stateSchema,
  /** Its claim has expired; `state` is its state before the claim. */
  claimExpired: z.boolean(),
  /**
   * Its row shows that another program is publishing it, but no column has the end of the claim; it cannot be retried
   * here.
   */
  claimUndated: z.boolean(),
  eventType: z.string().nullable(),
  aggregateType: z.string().nullable(),
  aggregateId: z.string().nullable(),
  createdAt: instantSchema.nullable(),
  publishedAt: instantSchema.nullable(),
  availableAt: instantSchema.nullable(),
  ageSeconds: z.number().nullable(),
  attempts: z.number().nullable(),
  maxAttempts: z.number().nullable(),
  nextAttemptAt: instantSchema.nullable(),
  lastError: z.string().nullable(),
  lastErrorCode: z.string().nullable(),
  /** Id of the failed head of its aggregate that this pending message waits behind. */
  blockedBy: z.string().nullable(),
  archivedAt: instantSchema.nullable(),
  /** The table's own status word; null if it has none. */
  rawStatus: z.string().nullable(),
  payloadBytes: z.number().nullable(),
});
export type MessageSummary = z.infer<typeof messageSummarySchema>;

export const messageListSchema = z.object({
  messages: z.array(messageSummarySchema),
  nextCursor: z.string().nullable(),
  asOf: instantSchema,
  /** How many match the filter. */
  matching: figureSchema,
  /**
   * Messages of this tab whose rows are gone and that the relay keeps in its own records (`cdc.mark: none`). They are
   * counted in the outbox's figures and are on no page; groups of failures have them.
   */
  recordedOnly: figureSchema,
  /**
   * Set if not every row that may match was read: the number of entries read, and the SQL of the index that would show
   * all. `nextCursor`, if set, continues the search; `skipped`: some of those rows are on no later page either.
   */
  partial: z.object({ read: z.number(), index: z.string(), skipped: z.boolean() }).nullable(),
  /** Sentence: messages that this list can never show, and why; null if there are none. */
  unread: z.string().nullable(),
});
export type MessageList = z.infer<typeof messageListSchema>;

const attemptSchema = z.object({
  number: z.number(),
  startedAt: instantSchema,
  durationMs: z.number().nullable(),
  outcome: z.enum(["published", "failed", "dead", "given_back"]),
  code: z.string().nullable(),
  error: z.string().nullable(),
  relay: z.string().nullable(),
  sink: z.string().nullable(),
  first: z.boolean(),
});
export type Attempt = z.infer<typeof attemptSchema>;

const auditEntrySchema = z.object({
  id: z.string(),
  at: instantSchema,
  actor: z.string(),
  role: z.string(),
  action: z.string(),
  outbox: z.string().nullable(),
  inbox: z.string().nullable(),
  messageId: z.string().nullable(),
  operationId: z.string().nullable(),
  outcome: z.string(),
  reason: z.string().nullable(),
  stateBefore: stateSchema.nullable(),
  stateAfter: stateSchema.nullable(),
  detail: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditListSchema = z.object({
  entries: z.array(auditEntrySchema),
  nextCursor: z.string().nullable(),
  /** Sentences: which audits could not be read, so that their entries are missing. */
  missing: z.array(z.string()),
  asOf: instantSchema,
});
export type AuditList = z.infer<typeof auditListSchema>;

const payloadSchema = z.object({
  /** The text as stored, not reformatted; cut at `shownBytes`. */
  text: z.string(),
  format: z.enum(["json", "text", "base64"]),
  totalBytes: z.number(),
  shownBytes: z.number(),
  truncated: z.boolean(),
});

/** `hidden`: nothing of it is shown. */
const shownSchema = z.enum(["whole", "masked", "hidden"]);

const maskingSchema = z.object({
  payload: shownSchema,
  headers: shownSchema,
  /** Number of values that are masked in both. */
  values: z.number(),
  /** Sentences: why something is hidden. */
  reasons: z.array(z.string()),
  /** Sentence: why this person may not reveal it; null if they may. */
  noReveal: z.string().nullable(),
});
export type Masking = z.infer<typeof maskingSchema>;

export const messageDetailSchema = z.object({
  message: messageSummarySchema,
  payload: payloadSchema.nullable(),
  headers: payloadSchema.nullable(),
  /** What is masked; null if all is shown as it is stored. */
  masking: maskingSchema.nullable(),
  /** The registry's entry for it; null for an outbox without a registry. */
  registered: registeredEventSchema.nullable(),
  /**
   * Trace in which it was written; `url`: where that is shown, if the configuration says so. Null if the row names
   * none.
   */
  trace: z.object({ id: z.string(), url: z.string().nullable() }).nullable(),
  /** Every other column of the row, as text. */
  columns: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
  attempts: z.array(attemptSchema),
  firstError: z.string().nullable(),
  claim: z.object({ owner: z.string(), startedAt: instantSchema, expired: z.boolean() }).nullable(),
  /** Messages of the same aggregate around this one, oldest first; this one included. */
  neighbours: z.array(messageSummarySchema),
  /** Why there may be more of them near it; null if all were looked for. */
  neighboursUnread: z.string().nullable(),
  laterPublished: z.number().nullable(),
  sightings: z.array(
    z.object({
      inbox: z.string(),
      consumer: z.string().nullable(),
      /** `untracked`: its inbox has it and does not say whether it was processed. */
      state: z.enum(["processed", "received", "failed", "untracked", "not_seen", "unknown"]),
      at: instantSchema.nullable(),
    }),
  ),
  audit: z.array(auditEntrySchema),
  /** Ids of the corrected copy of this message, and of the message of which this is one. */
  correction: z.object({ copyId: z.string().nullable(), originalId: z.string().nullable() }),
  actions: z.array(z.object({ action: z.string(), possible: z.boolean(), reason: z.string().nullable() })),
  sql: z.string(),
  asOf: instantSchema,
});
export type MessageDetail = z.infer<typeof messageDetailSchema>;

export const whySchema = z.object({
  id: z.string(),
  asOf: instantSchema,
  /** One sentence. */
  summary: z.string(),
  /** In order of likelihood. */
  reasons: z.array(z.object({ rule: z.string(), text: z.string(), evidence: z.string(), next: z.string().nullable() })),
});
export type Why = z.infer<typeof whySchema>;

/** `text`: by fingerprint. `code`: by error code. `type`: by type. */
const failureGroupingSchema = z.enum(FAILURE_GROUPINGS);
export const failureGroupQuerySchema = z.object({ by: failureGroupingSchema.default("text") });

const failureGroupSchema = z.object({
  /** Fingerprint, error code or type, as the list is grouped; empty for messages without one. */
  key: z.string(),
  /** Null of a group by code or type, to which no notes and decisions belong; empty for failures without an error. */
  fingerprint: z.string().nullable(),
  /** Null if the group has several. */
  code: z.string().nullable(),
  title: z.string(),
  /** The error with its variable parts replaced; of a group by code or type, the newest one. */
  text: z.string(),
  eventTypes: z.array(z.string()),
  messages: z.number(),
  failed: z.number(),
  dead: z.number(),
  /** Null if the table does not name the aggregate. */
  aggregates: z.number().nullable(),
  firstSeenAt: instantSchema.nullable(),
  lastSeenAt: instantSchema.nullable(),
  /**
   * Messages by the hour of their first failure, of the last 24 sliding hours; the last one ends now. Null if the times
   * of some are not recorded.
   */
  newByHour: z.array(z.number()).nullable(),
  sampleId: z.string(),
  /** Sentence with the next step; null if the error itself says it. */
  nextStep: z.string().nullable(),
  /** Query for the list of this group's messages; it finds no others unless `selects` is false. */
  filter: z.record(z.string(), z.string()),
  /** False if no filter finds only its messages, because neither the table nor our records have their common value. */
  selects: z.boolean(),
  /** People's decisions about it; null without any, or if they could not be read (`markProblem`). */
  mark: groupMarkSchema.nullable(),
});
export const failureGroupListSchema = z.object({
  by: failureGroupingSchema,
  groups: z.array(failureGroupSchema),
  asOf: instantSchema,
  /** False if there may be failures that were not grouped. */
  complete: z.boolean(),
  /** Number of entries read. */
  read: z.number(),
  /** SQL of the index that reading the table's failures needs; null if none is missing. */
  index: z.string().nullable(),
  /** Sentence: failures that this list can never show, and why; null if there are none. */
  unread: z.string().nullable(),
  /** Sentence: why the groups have no marks; null if they could be read. */
  markProblem: z.string().nullable(),
});
export type FailureGroup = z.infer<typeof failureGroupSchema>;
export type FailureGroupList = z.infer<typeof failureGroupListSchema>;
