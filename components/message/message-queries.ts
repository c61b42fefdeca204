import { queryOptions } from "@tanstack/react-query";
import { apiGet } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import { messageDetailSchema, whySchema } from "#contracts/messages.ts";

const messagePath = (outbox: string, id: string, rest = "") =>
  outboxPath(outbox, `/messages/${encodeURIComponent(id)}${rest}`);

export const messageQuery = (outbox: string, id: string) =>
  queryOptions({
    queryKey: ["message", outbox, id],
    queryFn: ({ signal }) => apiGet(messageDetailSchema, messagePath(outbox, id), undefined, signal),
  });

export const whyQuery = (outbox: string, id: string) =>
  queryOptions({
    queryKey: ["message", outbox, id, "why"],
    queryFn: ({ signal }) => apiGet(whySchema, messagePath(outbox, id, "/why"), undefined, signal),
  });
