import { revokeToken } from "#services/auth/tokens.ts";
import { handle } from "../../../../../_server/handle.ts";

export const POST = handle({ role: "admin", changes: false }, ({ ctx, params }) =>
  revokeToken({ ctx, id: params.id ?? "" }),
);
