import { decodeMessage } from "#services/messages/decode-message.ts";
import { handle } from "../../../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  decodeMessage({ runtime: ctx.runtime, outbox: params.outbox ?? "", id: params.id ?? "" }),
);
