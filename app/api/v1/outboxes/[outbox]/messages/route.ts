import { messageQuerySchema } from "#contracts/message/messages.ts";
import { listMessages } from "#services/messages/list-messages.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer", query: messageQuerySchema }, ({ ctx, params, query }) =>
  listMessages({ runtime: ctx.runtime, outbox: params.outbox ?? "", query, actor: ctx.actor }),
);
