import { listInboxes } from "#services/inboxes/list-inboxes.ts";
import { handle } from "../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx }) => listInboxes({ runtime: ctx.runtime }));
