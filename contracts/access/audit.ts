import { z } from "zod";
import { boundSchema, textSchema } from "../common.ts";
import { EXPORT_FORMATS } from "../message/export.ts";

/** `begun` and `cut` are for acts that take a while, such as an export. `refused` is also for a denied request. */
export const AUDIT_OUTCOMES = ["done", "refused", "begun", "cut"] as const;

export const auditQuerySchema = z.object({
  outbox: textSchema(100).optional(),
  messageId: textSchema(2000).optional(),
  action: textSchema(100).optional(),
  actor: textSchema(100).optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  /** At or after / before, RFC 3339. */
  from: boundSchema.optional(),
  to: boundSchema.optional(),
  cursor: textSchema(4000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;

export const auditExportQuerySchema = auditQuerySchema
  .omit({ cursor: true, limit: true })
  .extend({ format: z.enum(EXPORT_FORMATS).default("csv") });
export type AuditExportQuery = z.infer<typeof auditExportQuerySchema>;
