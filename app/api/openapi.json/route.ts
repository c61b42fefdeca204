import { openApiDocument } from "#contracts/openapi.ts";
import { handle } from "../../_server/handle.ts";

let built: { version: string; text: string } | undefined;

/** Built at the first request and kept: making it takes longer than a stranger may have of the event loop. */
export const GET = handle({ role: "public" }, async ({ ctx }) => {
  const { version } = ctx.runtime;
  if (built?.version !== version) built = { version, text: JSON.stringify(openApiDocument(version)) };
  return new Response(built.text, {
    headers: { "content-type": "application/json", "cache-control": "public, max-age=300" },
  });
});
