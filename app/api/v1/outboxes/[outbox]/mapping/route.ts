import { mappingProposalSchema } from "#contracts/outbox/mapping.ts";
import { previewMapping } from "#services/mapping/preview-mapping.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  previewMapping({ ctx, subject: { outbox: params.outbox ?? "" }, proposal: null }),
);

/** Reads only: a proposal is a body because it may be long. */
export const POST = handle({ role: "viewer", changes: false, body: mappingProposalSchema }, ({ ctx, params, body }) =>
  previewMapping({ ctx, subject: { outbox: params.outbox ?? "" }, proposal: body }),
);
