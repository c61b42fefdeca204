import { z } from "zod";
import { BULK_ACTIONS, BULK_STATES, ITEM_OUTCOMES } from "../../domain/message/bulk-operation.ts";
import { OPERATION_ACTIONS } from "../../domain/message/correction.ts";
import { actionSchema, figureSchema, instantSchema, reasonSchema, stateSchema, textSchema } from "../common.ts";
import { messageQuerySchema } from "./messages.ts";

/** Most messages that are acted on within the request; more of them are a bulk operation. */
export const MOST_AT_ONCE = 100;
/** Number of messages above which the operator types the number before the start. */
export const TYPED_COUNT_ABOVE = 1000;

/** An index key has at most 3,072 bytes, and an id encodes three bytes in four characters. */
const MOST_ID_CHARACTERS = 8_000;

const targetSchema = z.strictObject({ id: z.string().min(1).max(MOST_ID_CHARACTERS), version: z.string().max(200) });

/** The messages that a list with these filters shows, all of its pages. */
export const messageSelectionSchema = messageQuerySchema.omit({ cursor: true, limit: true }).strict();
export type MessageSelection = z.infer<typeof messageSelectionSchema>;

/** Items of an earlier operation by their outcomes: to retry the rest, or to undo what was done. */
const itemsOfSchema = z.strictObject({
  operation: z.uuid(),
  outcomes: z.array(z.enum(ITEM_OUTCOMES)).min(1),
});

/** Exactly one of them is set. */
const selected = {
  targets: z.array(targetSchema).min(1).max(5000).optional(),
  filter: messageSelectionSchema.optional(),
  itemsOf: itemsOfSchema.optional(),
};
const selectsOnce = (request: { targets?: unknown; filter?: unknown; itemsOf?: unknown }) =>
  [request.targets, request.filter, request.itemsOf].filter((one) => one !== undefined).length === 1;
const SELECTS_ONCE = "exactly one of targets, filter and itemsOf is needed";

export const bulkSettingsSchema = z.strictObject({
  /** Most messages a second; null: as fast as live messages allow. */
  ratePerSecond: z.number().positive().max(10_000).nullable().default(null),
  /** The rate rises evenly from nothing over this time. */
  rampSeconds: z.number().min(0).max(3600).default(0),
  /**
   * Number of messages to act on first; the others begin once their outcomes are known. 0: none. Only for retry and
   * re-publish.
   */
  canary: z.number().int().min(0).max(1000).default(10),
  /**
   * The operation halts when this share of the last 50 outcomes failed again; for the canary, the share of all its
   * outcomes.
   */
  haltPercent: z.number().int().min(1).max(100).default(20),
});
export type BulkSettings = z.infer<typeof bulkSettingsSchema>;

/** Of a re-publish: the sink to which it goes; default: the relay's own. */
const sink = z.string().min(1).max(200).optional();
const namesSinkRightly = ({ action, sink }: { action: string; sink?: unknown }) =>
  sink === undefined || action === "republish";
const NAMES_SINK_RIGHTLY = "sink is used with republish only";

const bulkActionSchema = z.enum(BULK_ACTIONS);

export const operationRequestSchema = z
  .strictObject({
    action: bulkActionSchema,
    ...selected,
    sink,
    reason: reasonSchema,
    dryRun: z.boolean().optional(),
    /** Of a bulk operation. */
    settings: bulkSettingsSchema.optional(),
    /** The number that the operator typed, for more than 1,000 messages: as the preview gave it in `confirm`. */
    confirm: z.number().int().optional(),
  })
  .refine(selectsOnce, SELECTS_ONCE)
  .refine(namesSinkRightly, NAMES_SINK_RIGHTLY);
export type OperationRequest = z.infer<typeof operationRequestSchema>;
export type OperationTarget = z.infer<typeof targetSchema>;

/** A request that names its messages, at most 100. */
export const targetedRequestSchema = z.strictObject({
  action: actionSchema,
  targets: z.array(targetSchema).min(1).max(MOST_AT_ONCE),
  reason: reasonSchema,
  dryRun: z.boolean().optional(),
});
export type TargetedRequest = z.infer<typeof targetedRequestSchema>;

/**
 * Outcome for one message. `done` is the only success. `unknown`: the connection was lost during commit; this stands
 * until the operation's record is completed from the audit.
 */
const operationOutcomeSchema = z.object({
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

/** Items by outcome; `left` have none yet. They add up to `selected`. */
const itemCountsSchema = z.object({
  selected: z.number(),
  left: z.number(),
  released: z.number(),
  published: z.number(),
  failed_again: z.number(),
  done: z.number(),
  skipped: z.number(),
  refused: z.number(),
  cancelled: z.number(),
  unknown: z.number(),
});
export type ItemCounts = z.infer<typeof itemCountsSchema>;

const bulkSchema = z.object({
  state: z.enum(BULK_STATES),
  /** Sentence: why it waits or has halted; null while it goes on. */
  note: z.string().nullable(),
  /** The selection in words: "dead messages of type order.placed". */
  selection: z.string(),
  /** The query of the list that was selected; null if ids or items were. */
  filter: messageSelectionSchema.nullable(),
  settings: bulkSettingsSchema,
  /** Of a re-publish: the sink to which it goes; null for every other action. */
  sink: z.string().nullable(),
  counts: itemCountsSchema,
  /** Items acted on, a second, over the last 10 s. Null while none is. */
  ratePerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  canary: z
    .object({ size: z.number(), published: z.number(), failedAgain: z.number(), passed: z.boolean() })
    .nullable(),
  /** The process that works on it; null if none does. */
  runner: z.object({ name: z.string(), heartbeatAt: instantSchema }).nullable(),
  endedAt: instantSchema.nullable(),
  /** When its items are deleted; null while it goes on, and where they stay. The counts stay in any case. */
  itemsKeptUntil: instantSchema.nullable().default(null),
  /** Newest first, at most 100. */
  timeline: z.array(z.object({ at: instantSchema, kind: z.string(), text: z.string() })),
});
export type Bulk = z.infer<typeof bulkSchema>;

export const operationSchema = z.object({
  id: z.string(),
  outbox: z.string(),
  /** `correct`: a corrected copy of one message. */
  action: z.enum(OPERATION_ACTIONS),
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
  /** Empty for a bulk operation: see its items. */
  outcomes: z.array(operationOutcomeSchema),
  /** Set for a bulk operation. */
  bulk: bulkSchema.nullable().default(null),
});
export type Operation = z.infer<typeof operationSchema>;

export const operationQuerySchema = z.object({
  outbox: textSchema(300).optional(),
  /** Only bulk operations that have not ended, paused and halted ones among them. Such a list is one page. */
  running: z.enum(["true", "false"]).optional(),
  cursor: textSchema(8000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** Newest first, without the outcomes of single messages. */
export const operationListSchema = z.object({
  operations: z.array(operationSchema),
  nextCursor: z.string().nullable(),
  /** Sentences: whose operations could not be read, so that they are missing. */
  missing: z.array(z.string()),
  asOf: instantSchema,
});
export type OperationList = z.infer<typeof operationListSchema>;

const operationItemSchema = z.object({
  seq: z.number(),
  id: z.string(),
  eventType: z.string().nullable(),
  aggregateId: z.string().nullable(),
  /** Null if it was not acted on yet. */
  outcome: z.enum(ITEM_OUTCOMES).nullable(),
  /** API error code: why it was skipped or refused. */
  code: z.string().nullable(),
  /** Sentence: the result, the reason for none, or the error with which it failed again. */
  message: z.string().nullable(),
  stateBefore: stateSchema.nullable(),
  actedAt: instantSchema.nullable(),
  /** When its outcome became known. */
  settledAt: instantSchema.nullable(),
});
export type OperationItem = z.infer<typeof operationItemSchema>;

export const itemQuerySchema = z.object({
  /** `left`: not acted on yet. */
  outcome: z.enum([...ITEM_OUTCOMES, "left"]).optional(),
  cursor: textSchema(200).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});

/** In the order of the work. */
export const operationItemListSchema = z.object({
  items: z.array(operationItemSchema),
  nextCursor: z.string().nullable(),
  asOf: instantSchema,
});
export type OperationItemList = z.infer<typeof operationItemListSchema>;

export const previewRequestSchema = z
  .strictObject({ action: bulkActionSchema, ...selected, sink })
  .refine(selectsOnce, SELECTS_ONCE)
  .refine(namesSinkRightly, NAMES_SINK_RIGHTLY);
export type PreviewRequest = z.infer<typeof previewRequestSchema>;

export const operationPreviewSchema = z.object({
  action: bulkActionSchema,
  /** How many match; capped at 10,000 by a filter. */
  matching: figureSchema,
  /** Number of them that the rest of the preview covers. */
  read: z.number(),
  /** Number that the request must repeat in `confirm`; null if 1,000 or fewer match. */
  confirm: z.number().nullable(),
  /** The most frequent first. */
  types: z.array(
    z.object({
      eventType: z.string().nullable(),
      messages: z.number(),
      states: z.partialRecord(stateSchema, z.number()),
      aggregates: z.number(),
      oldestAt: instantSchema.nullable(),
      newestAt: instantSchema.nullable(),
    }),
  ),
  aggregates: z.number(),
  /** Those with the most messages, at most 5. */
  topAggregates: z.array(
    z.object({ aggregateType: z.string().nullable(), aggregateId: z.string(), messages: z.number() }),
  ),
  /**
   * Of a retry: the messages that were read, by the relay instance of their last failed attempt, most first; `relay` is
   * null where no attempt is recorded. Null for other actions, and where the store cannot tell.
   */
  relays: z.array(z.object({ relay: z.string().nullable(), messages: z.number() })).nullable(),
  payloadBytes: z.number().nullable(),
  /** Messages that were read, are scheduled for later, and were never tried. */
  scheduled: z.number(),
  /** Number of messages that will be refused, by reason. */
  refused: z.array(z.object({ reason: z.string(), messages: z.number() })),
  /** Of the first `checked`: those whose aggregate has published later messages. Null if that is not known. */
  laterPublished: z.object({ messages: z.number(), checked: z.number() }).nullable(),
  /** Of the first `checked`: those that an inbox has already processed, by inbox. */
  processedBy: z.array(z.object({ inbox: z.string(), messages: z.number(), checked: z.number() })),
  /** Of a re-publish: the sinks to which it can go, the relay's own first. */
  sinks: z.array(z.object({ name: z.string(), kind: z.string(), own: z.boolean() })),
  /** Sentence: the effect of the action on this table; null if it is the usual one. */
  does: z.string().nullable(),
  /** Why it cannot be started, as a sentence; null if it can. */
  blocked: z.string().nullable(),
  asOf: instantSchema,
});
export type OperationPreview = z.infer<typeof operationPreviewSchema>;

/** `pause`, `resume` and `cancel` of a bulk operation need a reason. */
export const bulkCommandSchema = z.strictObject({
  reason: reasonSchema,
});
