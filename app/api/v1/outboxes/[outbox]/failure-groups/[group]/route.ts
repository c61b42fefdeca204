import { groupActSchema } from "#contracts/message/groups.ts";
import { changeGroup, getGroupMemory } from "#services/failures/change-group.ts";
import { handle } from "../../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  getGroupMemory({ runtime: ctx.runtime, outbox: params.outbox ?? "", group: params.group ?? "" }),
);

export const POST = handle({ role: "operator", body: groupActSchema }, ({ ctx, params, body }) =>
  changeGroup({ ctx, outbox: params.outbox ?? "", group: params.group ?? "", act: body }),
);
