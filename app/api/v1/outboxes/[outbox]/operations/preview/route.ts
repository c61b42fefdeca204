import { previewRequestSchema } from "#contracts/message/operations.ts";
import { previewOperation } from "#services/operations/preview-operation.ts";
import { handle } from "../../../../../../_server/handle.ts";

export const POST = handle({ role: "viewer", changes: false, body: previewRequestSchema }, ({ ctx, params, body }) =>
  previewOperation({ ctx, outbox: params.outbox ?? "", request: body }),
);
