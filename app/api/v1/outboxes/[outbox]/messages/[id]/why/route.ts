import { explainMessage } from "#services/messages/explain-message.ts";
import { handle } from "../../../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  explainMessage({ runtime: ctx.runtime, outbox: params.outbox ?? "", id: params.id ?? "" }),
);
