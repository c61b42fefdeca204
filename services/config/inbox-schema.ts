import { z } from "zod";
import { name } from "./value-schemas.ts";

export const inboxSchema = z.strictObject({
  store: name.default("default"),
  table: z.string().min(1),
  consumer: z.string().optional(),
  outbox: name.optional(),
});

export type InboxConfig = z.output<typeof inboxSchema>;
