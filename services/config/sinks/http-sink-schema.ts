import { z } from "zod";
import { duration } from "../value-schemas.ts";
import { tlsSchema } from "./tls-schema.ts";

export const httpSinkSchema = z.strictObject({
  kind: z.literal("http"),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).default({}),
  timeout: duration("10s"),
  connectTimeout: duration("3s"),
  /** Signs every request as Standard Webhooks do. */
  secret: z.string().min(1).optional(),
  /** Events of one request; above 1 the body is a JSON array. */
  batch: z.number().int().min(1).max(10_000).default(1),
  redirects: z.number().int().min(0).max(10).default(0),
  /** Follow a redirect to a private or loopback address too. */
  privateRedirects: z.boolean().default(false),
  tls: tlsSchema.default(false),
});

export type HttpSinkConfig = z.output<typeof httpSinkSchema>;
