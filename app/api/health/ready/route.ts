import { checkReady } from "#services/health/check-ready.ts";
import { handle } from "../../../_server/handle.ts";

export const GET = handle({ role: "public" }, async ({ ctx }) => {
  const problem = await checkReady({ runtime: ctx.runtime });
  return new Response(JSON.stringify(problem === null ? { status: "pass" } : { status: "fail", output: problem }), {
    status: problem === null ? 200 : 503,
    headers: { "content-type": "application/health+json", "cache-control": "no-store" },
  });
});
