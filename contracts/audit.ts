import { z } from "zod";

export const auditQuerySchema = z.object({
  outbox: z.string().max(100).optional(),
  messageId: z.string().max(2000).optional(),
  action: z.string().max(100).optional(),
  actor: z.string().max(100).optional(),
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;
