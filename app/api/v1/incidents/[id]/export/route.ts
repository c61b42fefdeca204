import { incidentFileName, incidentMarkdown } from "#services/incidents/incident-markdown.ts";
import { getIncident } from "#services/incidents/incidents.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, async ({ ctx, params }) => {
  const incident = await getIncident({ runtime: ctx.runtime, id: params.id ?? "" });
  return new Response(incidentMarkdown(incident), {
    headers: {
      "content-type": "text/markdown; charset=utf-8",
      "content-disposition": `attachment; filename="${incidentFileName(incident)}"`,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "x-request-id": ctx.requestId,
    },
  });
});
