import { bulkCommandSchema } from "#contracts/message/operations.ts";
import { commandBulkOperation } from "#services/operations/bulk/command-bulk-operation.ts";
import { handle } from "../../../../../_server/handle.ts";

export const POST = handle({ role: "viewer", body: bulkCommandSchema }, ({ ctx, params, body }) =>
  commandBulkOperation({ ctx, id: params.id ?? "", command: "pause", reason: body.reason }),
);
