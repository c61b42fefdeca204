import { newTokenSchema } from "#contracts/access/tokens.ts";
import { listTokens, makeToken } from "#services/auth/tokens.ts";
import { handle } from "../../../_server/handle.ts";

export const GET = handle({ role: "admin" }, ({ ctx }) => listTokens({ ctx }));

export const POST = handle({ role: "admin", changes: false, body: newTokenSchema }, ({ ctx, body }) =>
  makeToken({ ctx, token: body }),
);
