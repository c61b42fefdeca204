import { auditQuerySchema } from "#contracts/audit.ts";
import { listAudit } from "#services/audit/list-audit.ts";
import { handle } from "../../../_server/handle.ts";

export const GET = handle({ role: "viewer", query: auditQuerySchema }, ({ ctx, query }) =>
  listAudit({ runtime: ctx.runtime, query }),
);
