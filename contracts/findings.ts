import { z } from "zod";
import { CAUSE_CODES } from "#domain/diagnosis/words.ts";
import { instantSchema } from "./common.ts";
import { causeWordSchema, verdictSchema } from "./diagnosis.ts";

export const FINDING_RULES = CAUSE_CODES;
export const findingRuleSchema = z.enum(FINDING_RULES);

export const findingSchema = z.object({
  id: z.string(),
  outbox: z.string(),
  rule: findingRuleSchema,
  severity: z.enum(["warn", "fail"]),
  /** What the outbox would be called if this were its only cause. */
  word: causeWordSchema,
  /** Short, e.g. "Sink unavailable". */
  title: z.string(),
  /** What it concerns: an error, an aggregate, a pid. */
  subject: z.string(),
  /** The one sentence that names the thing, since when and how much it holds up; the same in banner, health and alerts. */
  sentence: z.string(),
  /** The longer explanation, with what follows from it. */
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
  /** The causes of `verdict`, in its order: the first is the one that the banner and the health output name. */
  findings: z.array(findingSchema),
  verdict: verdictSchema,
  /** Every rule that was checked, so that an empty page says what it means. */
  checked: z.array(
    z.object({ rule: findingRuleSchema, title: z.string(), definition: z.string(), threshold: z.string() }),
  ),
  /** Rules that could not be checked this time, or not whole: what they ask for was not read. Their silence says nothing. */
  unchecked: z.array(z.object({ rule: findingRuleSchema, title: z.string(), definition: z.string() })),
  asOf: instantSchema,
});
export type FindingList = z.infer<typeof findingListSchema>;
