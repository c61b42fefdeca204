import { z } from "zod";
import { inboxExportQuerySchema } from "../message/export.ts";
import { inboxListSchema, inboxMessageListSchema, inboxQuerySchema } from "../outbox/inboxes.ts";
import { forgetRequestSchema } from "../outbox/outboxes.ts";
import { reconciliationSchema } from "../outbox/reconciliation.ts";
import { inboxPreviewQuerySchema, inboxRetentionPreviewSchema } from "../outbox/storage.ts";
import type { Endpoint } from "./endpoint.ts";

/** Inboxes, and what consumers have not processed. */
export const INBOXES: readonly Endpoint[] = [
  {
    method: "get",
    path: "/api/v1/inboxes/{inbox}/retention/preview",
    summary: "What retention would remove of an inbox now, and how long it must keep its rows; changes nothing",
    query: inboxPreviewQuerySchema,
    answer: inboxRetentionPreviewSchema,
  },
  { method: "get", path: "/api/v1/inboxes", summary: "Every inbox with its figures", answer: inboxListSchema },
  {
    method: "get",
    path: "/api/v1/inboxes/{inbox}/messages",
    summary: "One page of an inbox",
    query: inboxQuerySchema,
    answer: inboxMessageListSchema,
  },
  {
    method: "get",
    path: "/api/v1/inboxes/{inbox}/messages/export",
    summary: "The rows of an inbox as a file, like the messages of an outbox",
    query: inboxExportQuerySchema,
    answer: z.string(),
    type: "text/csv",
  },
  {
    method: "get",
    path: "/api/v1/inboxes/{inbox}/reconciliation",
    summary: "Published messages that the consumer has not processed, and rows of messages that no outbox holds",
    answer: reconciliationSchema,
  },
  {
    method: "post",
    path: "/api/v1/inboxes/{inbox}/forget",
    summary: "Removes a missing inbox from health and lists; admin",
    body: forgetRequestSchema,
    answer: inboxListSchema,
  },
];
