import { saveMappingSchema } from "#contracts/outbox/mapping.ts";
import { saveMapping } from "#services/mapping/save-mapping.ts";
import { handle } from "../../../../../../_server/handle.ts";

export const POST = handle({ role: "admin", body: saveMappingSchema }, ({ ctx, params, body }) =>
  saveMapping({ ctx, subject: { outbox: params.outbox ?? "" }, request: body }),
);
