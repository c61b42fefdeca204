import { correctionRequestSchema } from "#contracts/message/corrections.ts";
import { correctMessage } from "#services/operations/correct-message.ts";
import { handle } from "../../../../../../../_server/handle.ts";
import { idempotencyKeyOf } from "../../../../../../../_server/idempotency-key.ts";

export const POST = handle({ role: "admin", body: correctionRequestSchema }, ({ ctx, params, body, request }) =>
  correctMessage({
    ctx,
    outbox: params.outbox ?? "",
    id: params.id ?? "",
    request: body,
    idempotencyKey: idempotencyKeyOf(request),
  }),
);
