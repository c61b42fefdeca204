import { z } from "zod";
import { duration } from "../value-schemas.ts";
import { tlsSchema } from "./tls-schema.ts";

export const rabbitmqSinkSchema = z.strictObject({
  kind: z.literal("rabbitmq"),
  url: z.string().regex(/^amqps?:\/\//, "must be an amqp:// or amqps:// URL"),
  /** "" is the default exchange: the routing key is a queue's name. */
  exchange: z.string().default(""),
  exchangeType: z.enum(["topic", "fanout", "direct"]).default("topic"),
  /** Declare the exchange (durable) if it does not exist. */
  declare: z.boolean().default(false),
  tls: tlsSchema.default(false),
  timeout: duration("10s"),
  connectTimeout: duration("3s"),
});

export type RabbitmqSinkConfig = z.output<typeof rabbitmqSinkSchema>;
