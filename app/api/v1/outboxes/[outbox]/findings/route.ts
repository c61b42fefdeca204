import { listFindings } from "#services/findings/list-findings.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  listFindings({ runtime: ctx.runtime, outbox: params.outbox ?? "" }),
);
