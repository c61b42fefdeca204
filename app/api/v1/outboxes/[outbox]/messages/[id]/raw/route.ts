import { rawPayloadQuerySchema } from "#contracts/message/payloads.ts";
import { readRawPayload } from "#services/messages/read-raw-payload.ts";
import { handle } from "../../../../../../../_server/handle.ts";

/** Always a download of opaque bytes: a browser must neither show nor guess what they are. */
export const GET = handle({ role: "viewer", query: rawPayloadQuerySchema }, async ({ ctx, params, query }) => {
  const { bytes, fileName } = await readRawPayload({
    runtime: ctx.runtime,
    outbox: params.outbox ?? "",
    id: params.id ?? "",
    part: query.part,
  });
  return new Response(new Uint8Array(bytes), {
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${fileName}"`,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "x-request-id": ctx.requestId,
    },
  });
});
