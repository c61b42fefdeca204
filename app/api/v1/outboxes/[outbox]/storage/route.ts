import { getStorage } from "#services/storage/get-storage.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  getStorage({ runtime: ctx.runtime, outbox: params.outbox ?? "" }),
);
