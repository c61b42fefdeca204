import { inboxQuerySchema } from "#contracts/outbox/inboxes.ts";
import { listInboxMessages } from "#services/inboxes/list-inbox-messages.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer", query: inboxQuerySchema }, ({ ctx, params, query }) =>
  listInboxMessages({ runtime: ctx.runtime, inbox: params.inbox ?? "", query }),
);
