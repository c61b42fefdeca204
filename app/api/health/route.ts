import type { Health } from "#contracts/watch/health.ts";
import { healthQuerySchema } from "#contracts/watch/health.ts";
import { checkHealth } from "#services/health/check-health.ts";
import { scopedRuntime } from "#services/scoped-runtime.ts";
import { actorOrNobody } from "../../_server/actor.ts";
import { handle } from "../../_server/handle.ts";

/** Anyone gets the status words; details need credentials. */
const answer = handle({ role: "public", query: healthQuerySchema, known: true }, async ({ ctx, query, request }) => {
  const actor = await actorOrNobody(ctx.runtime, request);
  const runtime = actor ? scopedRuntime(ctx.runtime, actor) : ctx.runtime;
  const health = await checkHealth({ runtime, outbox: query.outbox });
  const body = actor && !actor.metricsOnly ? health : statusWords(health);
  const failed = health.status === "fail" || (health.status === "warn" && query.strict === "1");
  return new Response(request.method === "HEAD" ? null : JSON.stringify(body), {
    status: failed ? 503 : 200,
    headers: { "content-type": "application/health+json", "cache-control": "no-store" },
  });
});

function statusWords(health: Health): Health {
  const checks = Object.entries(health.checks ?? {}).map(
    ([name, list]) => [name, list.map(({ componentType, status }) => ({ componentType, status }))] as const,
  );
  return { status: health.status, asOf: health.asOf, checks: Object.fromEntries(checks) };
}

export const GET = answer;
export const HEAD = answer;
