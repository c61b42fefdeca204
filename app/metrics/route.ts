import { renderMetrics } from "#services/health/render-metrics.ts";
import { handle } from "../_server/handle.ts";

export const GET = handle({ role: "viewer", metrics: true }, async ({ ctx }) => {
  const { contentType, text } = await renderMetrics({ runtime: ctx.runtime });
  return new Response(text, { headers: { "content-type": contentType, "cache-control": "no-store" } });
});
