import { getOperation } from "#services/operations/get-operation.ts";
import { handle } from "../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  getOperation({ runtime: ctx.runtime, id: params.id ?? "" }),
);
