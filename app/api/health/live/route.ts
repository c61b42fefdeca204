/** The process answers; no database is asked, so that a silent one never restarts a console that works. */
export function GET(): Response {
  return new Response(JSON.stringify({ status: "pass" }), {
    headers: { "content-type": "application/health+json", "cache-control": "no-store" },
  });
}

export const dynamic = "force-dynamic";
