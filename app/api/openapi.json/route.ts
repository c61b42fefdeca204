import { openApiDocument } from "#contracts/openapi.ts";
import { handle } from "../../_server/handle.ts";

let built: { version: string; text: string } | undefined;

/** Built once, at the first request: building it blocks the event loop longer than an anonymous request may. */
export const GET = handle({ role: "public" }, async ({ ctx }) => {
  const { version } = ctx.runtime;
  if (built?.version !== version) built = { version, text: JSON.stringify(openApiDocument(version)) };
  return new Response(built.text, {
    headers: { "content-type": "application/json", "cache-control": "public, max-age=300" },
  });
});
