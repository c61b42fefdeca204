import { connectorActSchema } from "#contracts/outbox/connectors.ts";
import { actOnConnector } from "#services/connect/act-on-connector.ts";
import { getConnector } from "#services/connect/get-connector.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx, params }) =>
  getConnector({ runtime: ctx.runtime, outbox: params.outbox ?? "" }),
);

export const POST = handle({ role: "operator", body: connectorActSchema }, ({ ctx, params, body }) =>
  actOnConnector({ ctx, outbox: params.outbox ?? "", request: body }),
);
