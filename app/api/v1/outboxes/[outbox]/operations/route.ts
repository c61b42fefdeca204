import { operationRequestSchema } from "#contracts/operations.ts";
import { AppError } from "#domain/errors.ts";
import { startOperation } from "#services/operations/start-operation.ts";
import { handle } from "../../../../../_server/handle.ts";

export const POST = handle({ role: "viewer", body: operationRequestSchema }, async ({ ctx, params, body, request }) => {
  const idempotencyKey = request.headers.get("idempotency-key");
  if (idempotencyKey !== null && !/^[\w.:-]{8,200}$/.test(idempotencyKey)) {
    throw new AppError("invalid_input", "Idempotency-Key must be 8 to 200 letters, digits or . : _ -");
  }
  const operation = await startOperation({ ctx, outbox: params.outbox ?? "", request: body, idempotencyKey });
  return operation.bulk && !operation.finished ? Response.json(operation, { status: 202 }) : operation;
});
