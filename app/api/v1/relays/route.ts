import { listRelays } from "#services/relays/list-relays.ts";
import { handle } from "../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx }) => listRelays({ runtime: ctx.runtime }));
