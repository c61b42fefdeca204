import { z } from "zod";
import { CAUSE_CODES, VERDICT_WORDS } from "#domain/diagnosis/words.ts";
import { instantSchema } from "../common.ts";

/**
 * `not_delivering`: nothing gets through; `in_part`: a type, an aggregate or some rows do not; `paused`: on purpose.
 */
const verdictWordSchema = z.enum(VERDICT_WORDS);
export const causeWordSchema = verdictWordSchema.exclude(["delivering"]);
export const statusSchema = z.enum(["pass", "warn", "fail"]);

/** Read-only link: a path inside the console. */
const nextSchema = z.object({ label: z.string(), href: z.string() });

/** One problem, worded the same on every page, in health and in alerts. */
const causeSchema = z.object({
  /** Id of its finding, shown at `/stuck?finding={id}`. */
  id: z.string(),
  rule: z.enum(CAUSE_CODES),
  word: causeWordSchema,
  severity: z.enum(["warn", "fail"]),
  /**
   * e.g. "every delivery of invoice.rendered fails (HTTP 500: no rate) since 06:03:55 UTC; 125 wait; other types flow"
   */
  sentence: z.string(),
  since: instantSchema.nullable(),
  /** Messages held up; null if unknown. */
  messages: z.number().nullable(),
  /** Counting stopped at a cap: there are at least that many. */
  messagesCapped: z.boolean(),
  /** The database estimates it: there may be more or fewer. */
  messagesEstimated: z.boolean(),
});
export type Cause = z.infer<typeof causeSchema>;

export const verdictSchema = z.object({
  word: verdictWordSchema,
  status: statusSchema,
  /** e.g. "Delivering" or "Not delivering". */
  title: z.string(),
  /**
   * The first cause's sentence; null when nothing is wrong. `{title}: {cause}` is what banner, health and alerts print.
   */
  cause: z.string().nullable(),
  /** On the database's clock. */
  since: instantSchema.nullable(),
  /** Second line: one or two sentences with the figures behind the verdict. */
  evidence: z.string(),
  /**
   * The lower-ranked causes, e.g. "and 1 more: 4,656 messages of invoice.rendered are dead"; null with at most one
   * cause.
   */
  more: z.string().nullable(),
  next: nextSchema.nullable(),
  /** Every cause, worst first. */
  causes: z.array(causeSchema),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** The verdict over all outboxes of one console. */
export const fleetVerdictSchema = z.object({
  word: verdictWordSchema,
  status: statusSchema,
  /** e.g. "6 of 16 not delivering". */
  title: z.string(),
  /** The worst cause, named once for all outboxes that share it. */
  cause: z.string().nullable(),
  since: instantSchema.nullable(),
  /** Messages held up, number of outboxes affected, and the names of those with other causes. */
  evidence: z.string(),
  next: nextSchema.nullable(),
  /** Number of outboxes by word; words without any are omitted. */
  counts: z.partialRecord(verdictWordSchema, z.number()),
  /** The worst outbox. */
  outbox: z.string().nullable(),
});
