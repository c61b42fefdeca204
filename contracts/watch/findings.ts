import { z } from "zod";
import { CAUSE_CODES } from "#domain/diagnosis/words.ts";
import { instantSchema } from "../common.ts";
import { causeWordSchema, verdictSchema } from "./diagnosis.ts";

const findingRuleSchema = z.enum(CAUSE_CODES);

const findingSchema = z.object({
  id: z.string(),
  outbox: z.string(),
  rule: findingRuleSchema,
  severity: z.enum(["warn", "fail"]),
  /** Verdict word of the outbox if this were its only cause. */
  word: causeWordSchema,
  /** Short, e.g. "Sink unavailable". */
  title: z.string(),
  /** What it concerns: an error, an aggregate, a pid. */
  subject: z.string(),
  /** One sentence: the problem, since when and how much it holds up. The same in banner, health and alerts. */
  sentence: z.string(),
  /** Longer explanation, with the consequences. */
  diagnosis: z.string(),
  /** Sentence with the safe next step. `href`: its link inside the console, if any. */
  nextStep: z.string(),
  href: z.string().nullable(),
  messages: z.number().nullable(),
  /** Counting stopped at a cap: there are at least that many. */
  messagesCapped: z.boolean(),
  /** The database estimates it: there may be more or fewer. */
  messagesEstimated: z.boolean(),
  aggregates: z.number().nullable(),
  since: instantSchema,
  evidence: z.array(z.object({ label: z.string(), value: z.string() })),
});
export type Finding = z.infer<typeof findingSchema>;
export const findingListSchema = z.object({
  /** The causes of `verdict` in the same order; banner and health name the first. */
  findings: z.array(findingSchema),
  verdict: verdictSchema,
  /** Every rule that was checked, so an empty page can list what was ruled out. */
  checked: z.array(
    z.object({ rule: findingRuleSchema, title: z.string(), definition: z.string(), threshold: z.string() }),
  ),
  /** Rules not checked, or only in part, because their data was not read. Without a finding their result is unknown. */
  unchecked: z.array(z.object({ rule: findingRuleSchema, title: z.string(), definition: z.string() })),
  asOf: instantSchema,
});
export type FindingList = z.infer<typeof findingListSchema>;
