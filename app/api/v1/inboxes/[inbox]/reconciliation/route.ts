import { getReconciliation } from "#services/reconciliation/get-reconciliation.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  getReconciliation({ runtime: ctx.runtime, inbox: params.inbox ?? "" }),
);
