import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { incidentsQuery, outboxesQuery } from "#components/api/queries.ts";
import { Shell } from "#components/shell/shell.tsx";
import { listIncidents } from "#services/incidents/incidents.ts";
import { listOutboxes } from "#services/outboxes/list-outboxes.ts";
import { readFirst } from "./read-first.ts";

/** Pages depend on the address and on live figures, so none can be rendered at build time. */
export const dynamic = "force-dynamic";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const client = new QueryClient();
  const [outboxes, incidents] = await Promise.all([
    readFirst((runtime) => listOutboxes({ runtime })),
    readFirst((runtime) => listIncidents({ runtime, query: { state: "open", limit: 50 } })),
  ]);
  client.setQueryData(outboxesQuery().queryKey, outboxes);
  client.setQueryData(incidentsQuery("open").queryKey, incidents);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Shell>{children}</Shell>
    </HydrationBoundary>
  );
}
