import { newViewSchema } from "#contracts/message/views.ts";
import { listViews, saveView } from "#services/views/views.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  listViews({ runtime: ctx.runtime, outbox: params.outbox ?? "" }),
);

export const POST = handle({ role: "operator", body: newViewSchema }, ({ ctx, params, body }) =>
  saveView({ ctx, outbox: params.outbox ?? "", view: body }),
);
