import { forgetRequestSchema } from "#contracts/outbox/outboxes.ts";
import { listInboxes } from "#services/inboxes/list-inboxes.ts";
import { forgetTable } from "#services/stores/forget-table.ts";
import { handle } from "../../../../../_server/handle.ts";

export const POST = handle({ role: "admin", body: forgetRequestSchema }, async ({ ctx, params, body }) => {
  await forgetTable({ ctx, kind: "inbox", name: params.inbox ?? "", request: body });
  return listInboxes({ runtime: ctx.runtime });
});
