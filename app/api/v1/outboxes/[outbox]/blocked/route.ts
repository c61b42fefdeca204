import { blockedQuerySchema } from "#contracts/outbox/blocked.ts";
import { listBlocked } from "#services/messages/list-blocked.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer", query: blockedQuerySchema }, ({ ctx, params, query }) =>
  listBlocked({ runtime: ctx.runtime, outbox: params.outbox ?? "", query }),
);
