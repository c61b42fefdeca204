import { operationRequestSchema } from "#contracts/operations.ts";
import { AppError } from "#domain/errors.ts";
import { performOperation } from "#services/operations/perform-operation.ts";
import { handle } from "../../../../../_server/handle.ts";

export const POST = handle({ role: "viewer", body: operationRequestSchema }, ({ ctx, params, body, request }) => {
  const idempotencyKey = request.headers.get("idempotency-key");
  if (idempotencyKey !== null && !/^[\w.:-]{8,200}$/.test(idempotencyKey)) {
    throw new AppError("invalid_input", "Idempotency-Key must be 8 to 200 letters, digits or . : _ -");
  }
  return performOperation({ ctx, outbox: params.outbox ?? "", request: body, idempotencyKey });
});
