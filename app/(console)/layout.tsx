import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { incidentsQuery, outboxesQuery } from "#components/api/queries.ts";
import { runningOperationsQuery } from "#components/operations/queries/operation-queries.ts";
import { Shell } from "#components/shell/shell.tsx";
import { operationQuerySchema } from "#contracts/message/operations.ts";
import { listIncidents } from "#services/incidents/incidents.ts";
import { listOperations } from "#services/operations/list-operations.ts";
import { listOutboxes } from "#services/outboxes/list-outboxes.ts";
import { readFirst } from "./read-first.ts";

/** Pages depend on the address and on live figures, so none can be rendered at build time. */
export const dynamic = "force-dynamic";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const client = new QueryClient();
  // What stands above every page must not push it down later.
  const [outboxes, incidents, running] = await Promise.all([
    readFirst((runtime) => listOutboxes({ runtime })),
    readFirst((runtime) => listIncidents({ runtime, query: { state: "open", limit: 50 } })),
    readFirst((runtime) => listOperations({ runtime, query: operationQuerySchema.parse({ running: "true" }) })),
  ]);
  client.setQueryData(outboxesQuery().queryKey, outboxes);
  client.setQueryData(incidentsQuery("open").queryKey, incidents);
  client.setQueryData(runningOperationsQuery().queryKey, running);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Shell>{children}</Shell>
    </HydrationBoundary>
  );
}
