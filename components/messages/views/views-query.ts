import { queryOptions } from "@tanstack/react-query";
import { apiGet, apiPost } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import { type ViewList, viewListSchema } from "#contracts/message/views.ts";
import type { SavedView } from "./saved-views.ts";

export const viewsQuery = (outbox: string) =>
  queryOptions({
    queryKey: ["views", outbox],
    queryFn: ({ signal }) => apiGet(viewListSchema, outboxPath(outbox, "/views"), undefined, signal),
  });

/** One change of the shared views; the answer is the new list. */
export type ViewChange =
  | { kind: "save"; view: SavedView }
  | { kind: "rename"; id: string; name: string }
  | { kind: "delete"; id: string };

export function changeViews(outbox: string, change: ViewChange): Promise<ViewList> {
  if (change.kind === "save") return apiPost(viewListSchema, outboxPath(outbox, "/views"), change.view);
  const path = outboxPath(outbox, `/views/${change.id}/${change.kind}`);
  return apiPost(viewListSchema, path, change.kind === "rename" ? { name: change.name } : {});
}
