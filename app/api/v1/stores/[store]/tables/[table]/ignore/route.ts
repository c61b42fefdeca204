import { ignoreTableSchema } from "#contracts/outbox/mapping.ts";
import { ignoreTable } from "#services/mapping/save-mapping.ts";
import { handle } from "../../../../../../../_server/handle.ts";

export const POST = handle({ role: "admin", body: ignoreTableSchema }, ({ ctx, params, body }) =>
  ignoreTable({ ctx, subject: { store: params.store ?? "", table: params.table ?? "" }, request: body }),
);
