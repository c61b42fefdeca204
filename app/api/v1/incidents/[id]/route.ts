import { incidentActSchema } from "#contracts/watch/incidents.ts";
import { changeIncident, getIncident } from "#services/incidents/incidents.ts";
import { handle } from "../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  getIncident({ runtime: ctx.runtime, id: params.id ?? "" }),
);

export const POST = handle({ role: "viewer", body: incidentActSchema }, ({ ctx, params, body }) =>
  changeIncident({ ctx, id: params.id ?? "", act: body }),
);
