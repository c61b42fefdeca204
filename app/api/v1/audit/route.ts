import { auditQuerySchema } from "#contracts/access/audit.ts";
import { listAudit } from "#services/audit/list-audit.ts";
import { handle } from "../../../_server/handle.ts";

export const GET = handle({ role: "viewer", query: auditQuerySchema }, ({ ctx, query }) =>
  listAudit({ runtime: ctx.runtime, query }),
);
