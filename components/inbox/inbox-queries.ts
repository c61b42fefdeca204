import { queryOptions } from "@tanstack/react-query";
import { apiGet } from "#components/api/api-client.ts";
import { type InboxQuery, inboxListSchema, inboxMessageListSchema } from "#contracts/outbox/inboxes.ts";

export const inboxesQuery = () =>
  queryOptions({
    queryKey: ["inboxes"],
    queryFn: ({ signal }) => apiGet(inboxListSchema, "/api/v1/inboxes", undefined, signal),
  });

export type InboxFilters = Partial<Pick<InboxQuery, "state" | "q" | "cursor">>;

export const inboxMessagesQuery = (inbox: string, filters: InboxFilters) =>
  queryOptions({
    queryKey: ["inbox-messages", inbox, filters],
    queryFn: ({ signal }) =>
      apiGet(inboxMessageListSchema, `/api/v1/inboxes/${encodeURIComponent(inbox)}/messages`, filters, signal),
  });
