import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { outboxesQuery } from "#components/api/queries.ts";
import { Shell } from "#components/shell/shell.tsx";
import { listOutboxes } from "#services/outboxes/list-outboxes.ts";
import { readFirst } from "./read-first.ts";

/** Pages depend on the address and on live figures, so none can be rendered at build time. */
export const dynamic = "force-dynamic";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const client = new QueryClient();
  client.setQueryData(outboxesQuery().queryKey, await readFirst((runtime) => listOutboxes({ runtime })));
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Shell>{children}</Shell>
    </HydrationBoundary>
  );
}
