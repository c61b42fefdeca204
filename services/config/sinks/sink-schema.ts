import { z } from "zod";
import { httpSinkSchema } from "./http-sink-schema.ts";
import { kafkaSinkSchema } from "./kafka-sink-schema.ts";
import { logSinkSchema } from "./log-sink-schema.ts";
import { natsSinkSchema } from "./nats-sink-schema.ts";
import { rabbitmqSinkSchema } from "./rabbitmq-sink-schema.ts";
import { redisSinkSchema } from "./redis-sink-schema.ts";

export const sinkSchema = z.discriminatedUnion("kind", [
  logSinkSchema,
  httpSinkSchema,
  kafkaSinkSchema,
  rabbitmqSinkSchema,
  natsSinkSchema,
  redisSinkSchema,
]);

export type SinkConfig = z.output<typeof sinkSchema>;
