import { getMessage } from "#services/messages/get-message.ts";
import { handle } from "../../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  getMessage({ runtime: ctx.runtime, outbox: params.outbox ?? "", id: params.id ?? "", actor: ctx.actor }),
);
