import { getOutbox } from "#services/outboxes/get-outbox.ts";
import { handle } from "../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  getOutbox({ runtime: ctx.runtime, outbox: params.outbox ?? "" }),
);
