import { renameViewSchema } from "#contracts/message/views.ts";
import { renameView } from "#services/views/views.ts";
import { handle } from "../../../../../../../_server/handle.ts";

export const POST = handle({ role: "operator", body: renameViewSchema }, ({ ctx, params, body }) =>
  renameView({ ctx, outbox: params.outbox ?? "", id: params.id ?? "", name: body.name }),
);
