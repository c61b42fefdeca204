import { queryOptions } from "@tanstack/react-query";
import { apiGet } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import { blockedListSchema } from "#contracts/outbox/blocked.ts";

export const blockedQuery = (outbox: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["blocked", outbox, cursor],
    queryFn: ({ signal }) => apiGet(blockedListSchema, outboxPath(outbox, "/blocked"), { cursor }, signal),
  });
