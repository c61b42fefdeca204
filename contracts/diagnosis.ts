import { z } from "zod";
import { CAUSE_CODES, VERDICT_WORDS } from "#domain/diagnosis/words.ts";
import { instantSchema } from "./common.ts";

/** not_delivering: nothing gets through; in_part: a type, an aggregate or some rows do not; late; at_risk; unknown; paused on purpose. */
export const verdictWordSchema = z.enum(VERDICT_WORDS);
export const causeWordSchema = verdictWordSchema.exclude(["delivering"]);
export const statusSchema = z.enum(["pass", "warn", "fail"]);

/** A link that changes nothing: path inside the console. */
export const nextSchema = z.object({ label: z.string(), href: z.string() });

/** One thing that is wrong, as every page, health and alerts print it. */
export const causeSchema = z.object({
  /** Of its finding: `/stuck?finding={id}` shows it. */
  id: z.string(),
  rule: z.enum(CAUSE_CODES),
  word: causeWordSchema,
  severity: z.enum(["warn", "fail"]),
  /** e.g. "every delivery of invoice.rendered fails (HTTP 500: no rate) since 06:03:55 UTC; 125 wait; other types flow" */
  sentence: z.string(),
  since: instantSchema.nullable(),
  /** How many messages it holds up; null where that is not known. */
  messages: z.number().nullable(),
});
export type Cause = z.infer<typeof causeSchema>;

export const verdictSchema = z.object({
  word: verdictWordSchema,
  status: statusSchema,
  /** e.g. "Delivering" or "Not delivering". */
  title: z.string(),
  /** The first cause's sentence; null when nothing is wrong. `{title}: {cause}` is what banner, health and alerts print. */
  cause: z.string().nullable(),
  /** On the database's clock. */
  since: instantSchema.nullable(),
  /** The second line: the figures that prove it, as one or two sentences. */
  evidence: z.string(),
  /** What ranks lower, e.g. "and 1 more: 4,656 messages of invoice.rendered are dead"; null when there is one cause at most. */
  more: z.string().nullable(),
  next: nextSchema.nullable(),
  /** Every cause, worst first. */
  causes: z.array(causeSchema),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** The same over all outboxes of one console. */
export const fleetVerdictSchema = z.object({
  word: verdictWordSchema,
  status: statusSchema,
  /** e.g. "6 of 16 not delivering". */
  title: z.string(),
  /** The worst cause, once for all outboxes that share it. */
  cause: z.string().nullable(),
  since: instantSchema.nullable(),
  /** What it holds up, in how many outboxes, and the names of those with other causes. */
  evidence: z.string(),
  next: nextSchema.nullable(),
  /** Outboxes by word, those with none left out. */
  counts: z.partialRecord(verdictWordSchema, z.number()),
  /** The worst outbox. */
  outbox: z.string().nullable(),
});
export type FleetVerdict = z.infer<typeof fleetVerdictSchema>;
