import { listOutboxes } from "#services/outboxes/list-outboxes.ts";
import { handle } from "../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx }) => listOutboxes({ runtime: ctx.runtime }));
