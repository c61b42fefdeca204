import { incidentQuerySchema, newIncidentSchema } from "#contracts/watch/incidents.ts";
import { listIncidents, openIncident } from "#services/incidents/incidents.ts";
import { handle } from "../../../_server/handle.ts";

export const GET = handle({ role: "viewer", query: incidentQuerySchema }, ({ ctx, query }) =>
  listIncidents({ runtime: ctx.runtime, query }),
);

export const POST = handle({ role: "viewer", body: newIncidentSchema }, ({ ctx, body }) =>
  openIncident({ ctx, incident: body }),
);
