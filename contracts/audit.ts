import { z } from "zod";
import { textSchema } from "./common.ts";

export const auditQuerySchema = z.object({
  outbox: textSchema(100).optional(),
  messageId: textSchema(2000).optional(),
  action: textSchema(100).optional(),
  actor: textSchema(100).optional(),
  cursor: textSchema(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;
