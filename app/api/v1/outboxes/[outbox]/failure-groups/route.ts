import { listFailureGroups } from "#services/messages/list-failure-groups.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  listFailureGroups({ runtime: ctx.runtime, outbox: params.outbox ?? "" }),
);
