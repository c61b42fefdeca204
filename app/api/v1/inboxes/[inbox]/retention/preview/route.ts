import { inboxPreviewQuerySchema } from "#contracts/outbox/storage.ts";
import { previewInboxRetention } from "#services/retention/preview-inbox-retention.ts";
import { handle } from "../../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer", query: inboxPreviewQuerySchema }, ({ ctx, params, query }) =>
  previewInboxRetention({ runtime: ctx.runtime, inbox: params.inbox ?? "", ...query }),
);
