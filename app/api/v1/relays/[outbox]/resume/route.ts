import { resumeRequestSchema } from "#contracts/outbox/relays.ts";
import { listRelays } from "#services/relays/list-relays.ts";
import { resumeRelay } from "#services/relays/pause-relay.ts";
import { handle } from "../../../../../_server/handle.ts";

export const POST = handle({ role: "operator", body: resumeRequestSchema }, async ({ ctx, params, body }) => {
  await resumeRelay({ ctx, outbox: params.outbox ?? "", request: body });
  return listRelays({ runtime: ctx.runtime });
});
