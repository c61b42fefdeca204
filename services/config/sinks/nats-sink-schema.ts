import { z } from "zod";
import { duration } from "../value-schemas.ts";
import { tlsSchema } from "./tls-schema.ts";

export const natsSinkSchema = z.strictObject({
  kind: z.literal("nats"),
  servers: z.array(z.string().min(1)).min(1),
  user: z.string().optional(),
  password: z.string().optional(),
  token: z.string().optional(),
  /** Contents of a .creds file, or its path. */
  credentials: z.string().optional(),
  tls: tlsSchema.default(false),
  timeout: duration("10s"),
  connectTimeout: duration("3s"),
});

export type NatsSinkConfig = z.output<typeof natsSinkSchema>;
