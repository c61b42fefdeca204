import { failureGroupQuerySchema } from "#contracts/message/messages.ts";
import { listFailureGroups } from "#services/messages/list-failure-groups.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer", query: failureGroupQuerySchema }, ({ ctx, params, query }) =>
  listFailureGroups({ runtime: ctx.runtime, outbox: params.outbox ?? "", by: query.by }),
);
