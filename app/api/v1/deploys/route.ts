import { deployQuerySchema, newDeploySchema } from "#contracts/watch/deploys.ts";
import { listDeploys, recordDeploy } from "#services/deploys/deploys.ts";
import { handle } from "../../../_server/handle.ts";
import { idempotencyKeyOf } from "../../../_server/idempotency-key.ts";

export const GET = handle({ role: "viewer", query: deployQuerySchema }, ({ ctx, query }) =>
  listDeploys({ runtime: ctx.runtime, query }),
);

export const POST = handle({ role: "viewer", body: newDeploySchema }, ({ ctx, body, request }) =>
  recordDeploy({ ctx, deploy: body, idempotencyKey: idempotencyKeyOf(request) }),
);
