import { messageExportQuerySchema } from "#contracts/message/export.ts";
import { exportMessages } from "#services/export/export-messages.ts";
import { handle } from "../../../../../../_server/handle.ts";
import { streamExport } from "../../../../../../_server/stream-export.ts";

export const GET = handle({ role: "viewer", query: messageExportQuerySchema }, async ({ ctx, params, query }) =>
  streamExport(await exportMessages({ ctx, outbox: params.outbox ?? "", query }), ctx.requestId),
);
