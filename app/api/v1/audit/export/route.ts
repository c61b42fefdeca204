import { auditExportQuerySchema } from "#contracts/access/audit.ts";
import { exportAudit } from "#services/audit/export-audit.ts";
import { handle } from "../../../../_server/handle.ts";
import { streamExport } from "../../../../_server/stream-export.ts";

export const GET = handle({ role: "viewer", query: auditExportQuerySchema }, async ({ ctx, query }) =>
  streamExport(await exportAudit({ ctx, query }), ctx.requestId),
);
