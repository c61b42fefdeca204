import { forgetRequestSchema } from "#contracts/outbox/outboxes.ts";
import { listOutboxes } from "#services/outboxes/list-outboxes.ts";
import { forgetTable } from "#services/stores/forget-table.ts";
import { handle } from "../../../../../_server/handle.ts";

export const POST = handle({ role: "admin", body: forgetRequestSchema }, async ({ ctx, params, body }) => {
  await forgetTable({ ctx, kind: "outbox", name: params.outbox ?? "", request: body });
  return listOutboxes({ runtime: ctx.runtime });
});
