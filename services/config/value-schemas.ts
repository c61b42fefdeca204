import { z } from "zod";
import { problemOfStoreUrl } from "#db/stores/open-store.ts";
import { parseDurationMs } from "#domain/units.ts";

export const name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "must be lower-case letters, digits, - or _");

/** "60s", "5m", "7d"; parsed into milliseconds. */
const durationMs = z.string().transform((text, context) => {
  const ms = parseDurationMs(text);
  if (ms === undefined) {
    context.addIssue({ code: "custom", message: `"${text}" is not a duration such as 250ms, 60s, 5m, 2h or 7d` });
    return z.NEVER;
  }
  return ms;
});
export const duration = (text: string) => durationMs.prefault(text);

export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: "must be a postgres:// URL", abort: true })
  .superRefine((url, context) => {
    const problem = problemOfStoreUrl("postgres", url);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  });
