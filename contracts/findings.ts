import { z } from "zod";
import { instantSchema } from "./common.ts";

export const FINDING_RULES = [
  "overdue",
  "expired_claim",
  "blocked_aggregate",
  "sink_unavailable",
  "no_relay_alive",
  "no_progress",
  "foreign_relay",
  "locked",
  "old_transaction",
  "scheduled_far",
  "slot_lag",
  "clock_skew",
  "unknown_status",
  "unroutable_type",
] as const;
export const findingRuleSchema = z.enum(FINDING_RULES);

export const findingSchema = z.object({
  id: z.string(),
  outbox: z.string(),
  rule: findingRuleSchema,
  severity: z.enum(["warn", "fail"]),
  /** Short, e.g. "Sink unavailable". */
  title: z.string(),
  /** What it concerns: an error, an aggregate, a pid. */
  subject: z.string(),
  diagnosis: z.string(),
  /** The safe next step, as a sentence, with a link inside the console where there is one. */
  nextStep: z.string(),
  href: z.string().nullable(),
  messages: z.number().nullable(),
  aggregates: z.number().nullable(),
  since: instantSchema,
  evidence: z.array(z.object({ label: z.string(), value: z.string() })),
});
export type Finding = z.infer<typeof findingSchema>;
export const findingListSchema = z.object({
  findings: z.array(findingSchema),
  /** Every rule that was checked, so that an empty page says what it means. */
  checked: z.array(
    z.object({ rule: findingRuleSchema, title: z.string(), definition: z.string(), threshold: z.string() }),
  ),
  asOf: instantSchema,
});
export type FindingList = z.infer<typeof findingListSchema>;
