import { itemQuerySchema } from "#contracts/message/operations.ts";
import { listItems } from "#services/operations/list-items.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer", query: itemQuerySchema }, ({ ctx, params, query }) =>
  listItems({ runtime: ctx.runtime, id: params.id ?? "", query }),
);
