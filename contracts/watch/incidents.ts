import { z } from "zod";
import { boundSchema, instantSchema, reasonSchema, textSchema } from "../common.ts";

const titleSchema = textSchema(200).trim().min(3);
const nameSchema = textSchema(200).trim().min(1);
const groupSchema = z.object({ outbox: textSchema(300), fingerprint: textSchema(64) });

export const newIncidentSchema = z.strictObject({
  title: titleSchema,
  /** Start of the trouble, at most 7 days ago; default: now. */
  since: boundSchema.optional(),
  /** Names of outboxes that it concerns; empty: every outbox. */
  outboxes: z.array(textSchema(300)).max(100).default([]),
  /** The failure group that it begins with. */
  group: groupSchema.nullable().default(null),
  /** The lead; null: none yet. */
  lead: nameSchema.nullable().default(null),
  /**
   * Open incidents that the person has seen. Any other open one prevents the start, because it may have the same cause.
   */
  besides: z.array(z.number().int()).max(100).default([]),
});
export type NewIncident = z.infer<typeof newIncidentSchema>;

export const incidentSchema = z.object({
  id: z.number(),
  title: z.string(),
  since: instantSchema,
  openedAt: instantSchema,
  openedBy: z.string(),
  lead: z.object({ name: z.string(), since: instantSchema }).nullable(),
  /** Empty: every outbox. */
  outboxes: z.array(z.string()),
  group: groupSchema.nullable(),
  /** Null while it is open. */
  ended: z.object({ at: instantSchema, by: z.string(), outcome: z.string() }).nullable(),
});
export type Incident = z.infer<typeof incidentSchema>;

export const incidentQuerySchema = z.object({
  state: z.enum(["open", "all"]).default("all"),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type IncidentQuery = z.infer<typeof incidentQuerySchema>;

export const incidentListSchema = z.object({
  /** Newest first. */
  incidents: z.array(incidentSchema),
  /** Sentence: why none can be opened; null if they can. */
  problem: z.string().nullable(),
  asOf: instantSchema,
});
export type IncidentList = z.infer<typeof incidentListSchema>;

export const TIMELINE_KINDS = [
  "note",
  "incident",
  "finding",
  "deploy",
  "relay",
  "operation",
  "alert",
  "group",
] as const;

export const timelineEntrySchema = z.object({
  at: instantSchema,
  /**
   * `incident`: opened, led, ended. `finding`: a cause began or ended. `relay`: paused or resumed. `group`: a decision
   * about a failure group.
   */
  kind: z.enum(TIMELINE_KINDS),
  tone: z.enum(["bad", "warn", "neutral"]),
  outbox: z.string().nullable(),
  /** The person or program that did it; null for an event without one. */
  by: z.string().nullable(),
  text: z.string(),
  detail: z.string().nullable(),
  /** A path in the console, or the link of a deploy. */
  href: z.string().nullable(),
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

export const incidentDetailSchema = incidentSchema.extend({
  /** Newest first. From half an hour before `since` until its end; notes after the end too. */
  timeline: z.array(timelineEntrySchema),
  /** Sentences: which records could not be read, or only in part. */
  gaps: z.array(z.string()),
  asOf: instantSchema,
});
export type IncidentDetail = z.infer<typeof incidentDetailSchema>;

export const incidentActSchema = z.discriminatedUnion("act", [
  z.strictObject({ act: z.literal("note"), text: textSchema(2000).trim().min(1) }),
  /** `from`: the lead that the person saw; `to`: null for none. */
  z.strictObject({ act: z.literal("lead"), from: nameSchema.nullable(), to: nameSchema.nullable() }),
  z.strictObject({ act: z.literal("rename"), title: titleSchema }),
  z.strictObject({ act: z.literal("end"), outcome: reasonSchema }),
]);
export type IncidentAct = z.infer<typeof incidentActSchema>;
