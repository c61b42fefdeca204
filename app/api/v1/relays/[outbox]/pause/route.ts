import { pauseRequestSchema } from "#contracts/outbox/relays.ts";
import { listRelays } from "#services/relays/list-relays.ts";
import { pauseRelay } from "#services/relays/pause-relay.ts";
import { handle } from "../../../../../_server/handle.ts";

export const POST = handle({ role: "operator", body: pauseRequestSchema }, async ({ ctx, params, body }) => {
  const { notice } = await pauseRelay({ ctx, outbox: params.outbox ?? "", request: body });
  return { ...(await listRelays({ runtime: ctx.runtime })), notice };
});
