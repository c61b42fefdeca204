import { openApiDocument } from "#contracts/openapi.ts";
import { handle } from "../../_server/handle.ts";

export const GET = handle({ role: "public" }, async ({ ctx }) => openApiDocument(ctx.runtime.version));
