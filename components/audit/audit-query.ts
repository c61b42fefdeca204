import { queryOptions } from "@tanstack/react-query";
import { apiGet, buildPath } from "#components/api/api-client.ts";
import type { ExportFormat } from "#contracts/message/export.ts";
import { auditListSchema } from "#contracts/message/messages.ts";
import { endOfDay, startOfDay } from "./audit-days.ts";

/** As the address names them. `of`: an outbox; `from` and `to`: the first and the last day, in UTC. */
export const AUDIT_FILTERS = ["messageId", "of", "actor", "action", "outcome", "from", "to"] as const;
type AuditFilter = (typeof AUDIT_FILTERS)[number];
export type AuditFilters = Readonly<Partial<Record<AuditFilter, string | undefined>>>;

export const auditQuery = ({ filters, cursor }: { filters: AuditFilters; cursor: string | undefined }) =>
  queryOptions({
    queryKey: ["audit", filters, cursor ?? null],
    queryFn: ({ signal }) => apiGet(auditListSchema, "/api/v1/audit", { ...fieldsOf(filters), cursor }, signal),
  });

export function auditExportPath(filters: AuditFilters, format: ExportFormat): string {
  return buildPath("/api/v1/audit/export", { ...fieldsOf(filters), format });
}

function fieldsOf({ of, from, to, ...fields }: AuditFilters) {
  return { ...fields, outbox: of, from: startOfDay(from), to: endOfDay(to) };
}
