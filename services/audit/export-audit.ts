import type { AuditExportQuery } from "#contracts/access/audit.ts";
import type { AuditEntry } from "#contracts/message/messages.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import type { OpenExport } from "../export/export-job.ts";
import { openExport } from "../export/open-export.ts";
import { recordExport } from "../export/record-export.ts";
import { ECS_FIELDS, ecsCells } from "./ecs-entry.ts";
import { listAudit } from "./list-audit.ts";

const PAGE_ROWS = 200;
const COLUMNS = [
  ...["at", "actor", "role", "action", "outcome", "outbox", "inbox", "messageId", "operationId"],
  ...["reason", "stateBefore", "stateAfter", "detail", "id"],
] as (keyof AuditEntry)[];

/**
 * The audit entries of a filter as a file, in the list's order: CSV, or NDJSON in the Elastic Common Schema. Entries
 * that are written after it has begun are not in it. An audit that cannot be read cuts it. Throws: forbidden,
 * not_found, invalid_input, wrong_state, too_many_requests, unavailable, query_timeout.
 */
export async function exportAudit(input: { ctx: ServiceContext; query: AuditExportQuery }): Promise<OpenExport> {
  const { ctx, query } = input;
  requireRole(ctx, "viewer");
  const { format, ...filter } = query;
  return openExport<AuditEntry>(ctx.runtime, filter.outbox === undefined ? "audit" : `audit-${filter.outbox}`, {
    format,
    names: format === "csv" ? COLUMNS : ECS_FIELDS,
    page: async (cursor) => {
      const page = await listAudit({ runtime: ctx.runtime, query: { ...filter, cursor, limit: PAGE_ROWS } });
      return { ...page, rows: page.entries, missing: page.missing.join(" ") || null };
    },
    cells: (entry) => (format === "csv" ? COLUMNS.map((column) => entry[column]) : ecsCells(entry)),
    ...recordExport({ ctx, action: "audit.export", outbox: filter.outbox ?? null, inbox: null, query }),
  });
}
