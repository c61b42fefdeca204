import { queryOptions } from "@tanstack/react-query";
import { apiGet } from "#components/api/api-client.ts";
import { auditListSchema } from "#contracts/messages.ts";

export const AUDIT_FILTERS = ["messageId", "action", "actor"] as const;
export type AuditFilter = (typeof AUDIT_FILTERS)[number];

export interface AuditAddress {
  outbox: string;
  filters: Readonly<Partial<Record<AuditFilter, string>>>;
  cursor: string | undefined;
}

export const auditQuery = ({ outbox, filters, cursor }: AuditAddress) =>
  queryOptions({
    queryKey: ["audit", outbox, filters, cursor ?? null],
    queryFn: ({ signal }) => apiGet(auditListSchema, "/api/v1/audit", { outbox, ...filters, cursor }, signal),
  });
