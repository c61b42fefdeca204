/** Queries no database: a silent database must not get a working console restarted. */
export function GET(): Response {
  return new Response(JSON.stringify({ status: "pass" }), {
    headers: { "content-type": "application/health+json", "cache-control": "no-store" },
  });
}

export const dynamic = "force-dynamic";
