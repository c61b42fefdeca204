import { seriesQuerySchema } from "#contracts/outbox/snapshot.ts";
import { readSeries } from "#services/outboxes/read-series.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer", query: seriesQuerySchema }, ({ ctx, params, query }) =>
  readSeries({
    runtime: ctx.runtime,
    outbox: params.outbox ?? "",
    from: query.from,
    to: query.to,
    stepSeconds: query.step,
  }),
);
