import { deleteViewSchema } from "#contracts/message/views.ts";
import { deleteView } from "#services/views/views.ts";
import { handle } from "../../../../../../../_server/handle.ts";

export const POST = handle({ role: "operator", body: deleteViewSchema }, ({ ctx, params }) =>
  deleteView({ ctx, outbox: params.outbox ?? "", id: params.id ?? "" }),
);
