import { takeSnapshot } from "#services/outboxes/take-snapshot.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  takeSnapshot({ runtime: ctx.runtime, outbox: params.outbox ?? "" }),
);
