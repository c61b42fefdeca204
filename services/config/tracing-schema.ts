import { z } from "zod";
import { duration } from "./value-schemas.ts";

const PLACE = "{traceId}";

export const tracingSchema = z.strictObject({
  /** Where a trace is shown; the console links to it. */
  url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.includes(PLACE), `must have ${PLACE} where the trace id goes`)
    .optional(),
  /** How the span of a message belongs to the trace in which the message was written. */
  messages: z.enum(["off", "link", "parent"]).default("link"),
  /** Ms from which a request to a sink counts as slow. */
  slow: duration("1s"),
});
