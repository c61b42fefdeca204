import { mappingProposalSchema } from "#contracts/outbox/mapping.ts";
import { previewMapping } from "#services/mapping/preview-mapping.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  previewMapping({ ctx, subject: { outbox: params.outbox ?? "" }, proposal: null }),
);

/** Only reads, although it is a POST: a proposal may be too long for an address. */
export const POST = handle({ role: "viewer", changes: false, body: mappingProposalSchema }, ({ ctx, params, body }) =>
  previewMapping({ ctx, subject: { outbox: params.outbox ?? "" }, proposal: body }),
);
