import { z } from "zod";
import { duration } from "../value-schemas.ts";
import { tlsSchema } from "./tls-schema.ts";

export const kafkaSinkSchema = z.strictObject({
  kind: z.literal("kafka"),
  brokers: z.array(z.string().regex(/^\S+:\d+$/, "must be host:port")).min(1),
  clientId: z.string().min(1).default("outbox-console"),
  tls: tlsSchema.default(false),
  sasl: z
    .strictObject({
      mechanism: z.enum(["plain", "scram-sha-256", "scram-sha-512"]),
      username: z.string(),
      password: z.string(),
    })
    .optional(),
  compression: z.enum(["none", "gzip", "snappy", "lz4", "zstd"]).default("none"),
  /** Larger messages are refused before sending. A lower limit of the broker is learned from its first refusal. */
  maxMessageBytes: z.number().int().min(1000).default(1_000_000),
  timeout: duration("10s"),
  connectTimeout: duration("3s"),
});

export type KafkaSinkConfig = z.output<typeof kafkaSinkSchema>;
