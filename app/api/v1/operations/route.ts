import { operationQuerySchema } from "#contracts/message/operations.ts";
import { listOperations } from "#services/operations/list-operations.ts";
import { handle } from "../../../_server/handle.ts";

export const GET = handle({ role: "viewer", query: operationQuerySchema }, ({ ctx, query }) =>
  listOperations({ runtime: ctx.runtime, query }),
);
