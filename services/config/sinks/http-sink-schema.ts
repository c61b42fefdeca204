import { z } from "zod";
import { duration } from "../value-schemas.ts";
import { tlsSchema } from "./tls-schema.ts";

const settings = z.strictObject({
  kind: z.literal("http"),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).default({}),
  timeout: duration("10s"),
  connectTimeout: duration("3s"),
  /** Signs every request according to Standard Webhooks. */
  secret: z.string().min(1).optional(),
  /** Statuses that confirm, 200 to 299 or 409; any from 200 to 299 when left out. */
  confirms: z
    .array(z.union([z.number().int().min(200).max(299), z.literal(409)]))
    .min(1)
    .optional(),
  /** Events per request; above 1 the body is a JSON array. */
  batch: z.number().int().min(1).max(10_000).default(1),
  redirects: z.number().int().min(0).max(10).default(0),
  /** Also follow redirects to private or loopback addresses. */
  privateRedirects: z.boolean().default(false),
  tls: tlsSchema.default(false),
});

/** Of a batch, 409 says that one event is a repeat, and nothing of the others. */
export const httpSinkSchema = settings.refine(({ batch, confirms }) => batch === 1 || !confirms?.includes(409), {
  path: ["confirms"],
  message: "409 confirms single events only, because a batch is refused as a whole. Set batch to 1, or leave out 409.",
});

export type HttpSinkConfig = z.output<typeof httpSinkSchema>;
