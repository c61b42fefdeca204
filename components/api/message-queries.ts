import { queryOptions } from "@tanstack/react-query";
import { messageDetailSchema, type Why, whySchema } from "#contracts/message/messages.ts";
import { decodedMessageSchema } from "#contracts/message/payloads.ts";
import { apiGet } from "./api-client.ts";
import { outboxPath } from "./queries.ts";

const messagePath = (outbox: string, id: string, rest = "") =>
  outboxPath(outbox, `/messages/${encodeURIComponent(id)}${rest}`);

export const messageQuery = (outbox: string, id: string) =>
  queryOptions({
    queryKey: ["message", outbox, id],
    queryFn: ({ signal }) => apiGet(messageDetailSchema, messagePath(outbox, id), undefined, signal),
  });

/** Of one version of the message: what was said of an earlier state is no answer for this one. */
export const whyQuery = (outbox: string, id: string, version: string | undefined) =>
  queryOptions({
    queryKey: ["message", outbox, id, "why", version ?? null],
    // Its lines stay until the next ones are there, so that nothing below them moves. Another message's do not.
    placeholderData: (last: Why | undefined, query) =>
      query?.queryKey[1] === outbox && query.queryKey[2] === id ? last : undefined,
    queryFn: ({ signal }) => apiGet(whySchema, messagePath(outbox, id, "/why"), undefined, signal),
  });

/** `stored` stands for what the row holds: decoding is repeated only when that changes. */
export const decodedQuery = (outbox: string, id: string, stored: string) =>
  queryOptions({
    queryKey: ["message", outbox, id, "decoded", stored],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => apiGet(decodedMessageSchema, messagePath(outbox, id, "/decoded"), undefined, signal),
  });

/** Address of the stored bytes, as a download. */
export const rawPath = (outbox: string, id: string, part: "payload" | "headers") =>
  messagePath(outbox, id, `/raw?part=${part}`);
