import { inboxExportQuerySchema } from "#contracts/message/export.ts";
import { exportInbox } from "#services/export/export-inbox.ts";
import { handle } from "../../../../../../_server/handle.ts";
import { streamExport } from "../../../../../../_server/stream-export.ts";

export const GET = handle({ role: "viewer", query: inboxExportQuerySchema }, async ({ ctx, params, query }) =>
  streamExport(await exportInbox({ ctx, inbox: params.inbox ?? "", query }), ctx.requestId),
);
