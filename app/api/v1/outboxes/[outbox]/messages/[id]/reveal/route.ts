import { revealRequestSchema } from "#contracts/message/reveal.ts";
import { revealMessage } from "#services/masking/reveal-message.ts";
import { handle } from "../../../../../../../_server/handle.ts";

export const POST = handle({ role: "viewer", changes: false, body: revealRequestSchema }, ({ ctx, params, body }) =>
  revealMessage({ ctx, outbox: params.outbox ?? "", id: params.id ?? "", reason: body.reason }),
);
