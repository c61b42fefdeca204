import { retentionPreviewQuerySchema } from "#contracts/outbox/storage.ts";
import { previewRetention } from "#services/retention/preview-retention.ts";
import { handle } from "../../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer", query: retentionPreviewQuerySchema }, ({ ctx, params, query }) =>
  previewRetention({ runtime: ctx.runtime, outbox: params.outbox ?? "", ...query }),
);
