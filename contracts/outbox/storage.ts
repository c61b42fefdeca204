import { z } from "zod";
import { figureSchema, instantSchema } from "../common.ts";

const bytes = z.number().nullable();

const retentionRunSchema = z.object({
  id: z.string(),
  /** `published`, `archive`, `inbox <name>` or `partition <name>`. */
  subject: z.string(),
  /** The policy in force, e.g. `published 14 d, then delete`. */
  rule: z.string(),
  startedAt: instantSchema,
  /** Null while it runs, and for a run that was cut short. */
  endedAt: instantSchema.nullable(),
  rows: z.number(),
  /** About. */
  bytes: z.number(),
  /** Why it ended. */
  end: z.string().nullable(),
  detail: z.string().nullable(),
});

const storageHolderSchema = z.object({
  kind: z.enum(["session", "prepared", "slot"]),
  holds: z.string(),
  pid: z.number().nullable(),
  name: z.string(),
  user: z.string().nullable(),
  state: z.string().nullable(),
  query: z.string().nullable(),
  sinceAt: instantSchema.nullable(),
  ageSeconds: z.number().nullable(),
  /** Transactions begun since. */
  transactions: z.number().nullable(),
  /** Statements to copy; the console never runs them. */
  cancelSql: z.string().nullable(),
  endSql: z.string().nullable(),
});
export type StorageHolder = z.infer<typeof storageHolderSchema>;

const storagePartitionSchema = z.object({
  name: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  bytes: z.number(),
  rows: z.number().nullable(),
  isDefault: z.boolean(),
  isDetaching: z.boolean(),
  place: z.enum(["past", "current", "ahead", "default"]),
});

export const storageSchema = z.object({
  outbox: z.string(),
  table: z.string(),
  asOf: instantSchema,
  size: z.object({
    tableBytes: bytes,
    indexBytes: bytes,
    toastBytes: bytes,
    totalBytes: bytes,
    rows: figureSchema,
    deadRows: z.number().nullable(),
    lastVacuumAt: instantSchema.nullable(),
    lastAutovacuumAt: instantSchema.nullable(),
  }),
  growth: z.object({
    /** Bytes a day over the last 7 days; null while that is not known. */
    bytesPerDay: z.number().nullable(),
    /** Time between the first and the last point of those 7 days. */
    overSeconds: z.number(),
    /** `storage.limitBytes` of the configuration. */
    limitBytes: z.number().nullable(),
    /** Days until the limit at this growth; null if it never comes, or is not known. */
    daysLeft: z.number().nullable(),
    /** Last 30 days, oldest first. */
    points: z.array(z.object({ at: instantSchema, bytes: z.number() })),
  }),
  indexes: z.array(
    z.object({
      name: z.string(),
      bytes,
      scans: z.number().nullable(),
      isUnique: z.boolean(),
      isValid: z.boolean(),
    }),
  ),
  /** Start of the count of scans. */
  countedSince: instantSchema.nullable(),
  missingIndexes: z.array(z.object({ purpose: z.string(), sql: z.string().nullable() })),
  holders: z.array(storageHolderSchema),
  slots: z.array(
    z.object({
      name: z.string(),
      isOurs: z.boolean(),
      isActive: z.boolean(),
      pid: z.number().nullable(),
      keptBytes: bytes,
      limitBytes: bytes,
      walStatus: z.string().nullable(),
    }),
  ),
  partitions: z
    .object({
      column: z.string(),
      partitions: z.array(storagePartitionSchema),
      ahead: z.number(),
      runwaySeconds: z.number().nullable(),
      defaultRows: z.number().nullable(),
      managedBy: z.string().nullable(),
    })
    .nullable(),
  /** Figures that only this kind of store has. */
  figures: z.array(z.object({ label: z.string(), value: z.string(), note: z.string().nullable() })),
  /** Sentences: figures that this store does not have. */
  unsaid: z.array(z.string()),
  retention: z.object({
    /** The policies in force, e.g. `published 14 d, then delete`; empty if nothing is removed. */
    policies: z.array(z.string()),
    /** Sentence: why nothing is removed although a policy says so, or why no policy can be set; null if rows may go. */
    refusal: z.string().nullable(),
    /** Initial values for the dry run. */
    keepSeconds: z.number().nullable(),
    how: z.enum(["delete", "archive"]),
    /** The worker's monitor is alive, so policies act. Null if that is not known. */
    monitorAlive: z.boolean().nullable(),
    runs: z.array(retentionRunSchema),
  }),
  /** The inboxes that the outbox feeds, by the configuration. */
  inboxes: z.array(
    z.object({
      name: z.string(),
      /** The policy in force, e.g. `processed 30 d`; null if nothing is removed. */
      policy: z.string().nullable(),
      keepSeconds: z.number().nullable(),
      /** Least time that a row has to stay, in seconds; null where it is not known. */
      least: z.number().nullable(),
      floor: z.string(),
      /**
       * Sentence: why nothing is removed although a policy says so, or why no policy can be set; null if rows may go.
       */
      refusal: z.string().nullable(),
      runs: z.array(retentionRunSchema),
    }),
  ),
});
export type Storage = z.infer<typeof storageSchema>;

export const inboxPreviewQuerySchema = z.object({
  /** Days that a processed row would stay. */
  keepDays: z.coerce.number().min(0.04).max(3650),
});

export const retentionPreviewQuerySchema = z.object({
  /** Days that a published row would stay. */
  keepDays: z.coerce.number().min(0.04).max(3650),
  how: z.enum(["delete", "archive"]).default("delete"),
});

export const retentionPreviewSchema = z.object({
  asOf: instantSchema,
  rows: figureSchema,
  /** Of these rows, about. */
  bytes: z.number(),
  oldestAt: instantSchema.nullable(),
  newestAt: instantSchema.nullable(),
  /** Rows from before this instant go. */
  boundAt: instantSchema,
  ageOf: z.enum(["published", "created"]),
  /** Rows that are old enough and stay, by reason. */
  kept: z.array(z.object({ reason: z.string(), rows: z.number() })),
  /** Sentences: how long each inbox must keep its rows at least if the outbox keeps its rows so long. */
  inboxes: z.array(z.string()),
  statement: z.string(),
});
export type RetentionPreview = z.infer<typeof retentionPreviewSchema>;

export const inboxRetentionPreviewSchema = retentionPreviewSchema.omit({ inboxes: true }).extend({
  /** `received`: no column says when a row was processed. */
  ageOf: z.enum(["processed", "received"]),
  /** Only rows that are marked as processed go; false where the table has no such mark. */
  onlyProcessed: z.boolean(),
  /** Least time that a row has to stay, in seconds; null where it is not known. */
  least: z.number().nullable(),
  /** Sentence: the reason for that time, or why it is not known. */
  floor: z.string(),
  /** Sentence: why a run would remove nothing; null if it would. */
  refusal: z.string().nullable(),
});
export type InboxRetentionPreview = z.infer<typeof inboxRetentionPreviewSchema>;
