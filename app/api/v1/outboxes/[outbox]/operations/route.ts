import { operationRequestSchema } from "#contracts/message/operations.ts";
import { startOperation } from "#services/operations/start-operation.ts";
import { handle } from "../../../../../_server/handle.ts";
import { idempotencyKeyOf } from "../../../../../_server/idempotency-key.ts";

export const POST = handle({ role: "viewer", body: operationRequestSchema }, async ({ ctx, params, body, request }) => {
  const idempotencyKey = idempotencyKeyOf(request);
  const operation = await startOperation({ ctx, outbox: params.outbox ?? "", request: body, idempotencyKey });
  return operation.bulk && !operation.finished ? Response.json(operation, { status: 202 }) : operation;
});
