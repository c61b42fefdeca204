import { queryOptions } from "@tanstack/react-query";
import { apiGet } from "#components/api/api-client.ts";
import { reconciliationSchema } from "#contracts/outbox/reconciliation.ts";

export const reconciliationQuery = (inbox: string) =>
  queryOptions({
    queryKey: ["reconciliation", inbox],
    queryFn: ({ signal }) =>
      apiGet(reconciliationSchema, `/api/v1/inboxes/${encodeURIComponent(inbox)}/reconciliation`, undefined, signal),
  });
