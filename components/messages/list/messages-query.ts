import { queryOptions } from "@tanstack/react-query";
import { apiGet } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import type { MessageFilters } from "#components/filters/message-filters.ts";
import { messageListSchema } from "#contracts/message/messages.ts";

const PAGE_SIZE = 50;

export interface ListAddress {
  outbox: string;
  filters: MessageFilters;
  cursor: string | undefined;
  limit?: number;
}

/** One page of the list; the key starts with "messages" so that an action can refresh them all. */
export const messagesQuery = ({ outbox, filters, cursor, limit = PAGE_SIZE }: ListAddress) =>
  queryOptions({
    queryKey: ["messages", outbox, filters.state, filters.fields, cursor ?? null, limit],
    queryFn: ({ signal }) => {
      const params = { state: filters.state, ...filters.fields, cursor, limit };
      return apiGet(messageListSchema, outboxPath(outbox, "/messages"), params, signal);
    },
  });
