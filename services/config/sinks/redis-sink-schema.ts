import { z } from "zod";
import { duration } from "../value-schemas.ts";
import { tlsSchema } from "./tls-schema.ts";

export const redisSinkSchema = z.strictObject({
  kind: z.literal("redis"),
  url: z.string().regex(/^rediss?:\/\//, "must be a redis:// or rediss:// URL"),
  /** Trim the stream to about this many entries. */
  maxLength: z.number().int().min(1).optional(),
  /** Trim to exactly `maxLength` entries, which costs more. */
  exactLength: z.boolean().default(false),
  tls: tlsSchema.default(false),
  timeout: duration("10s"),
  connectTimeout: duration("3s"),
});

export type RedisSinkConfig = z.output<typeof redisSinkSchema>;
