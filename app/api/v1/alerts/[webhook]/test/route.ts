import { testAlert } from "#services/alerts/test-alert.ts";
import { handle } from "../../../../../_server/handle.ts";

export const POST = handle({ role: "operator" }, ({ ctx, params }) =>
  testAlert({ ctx, webhook: params.webhook ?? "" }),
);
