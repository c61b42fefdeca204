import { queryOptions } from "@tanstack/react-query";
import { apiGet, apiReadBy } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import {
  operationItemListSchema,
  operationListSchema,
  operationPreviewSchema,
  operationSchema,
  type PreviewRequest,
} from "#contracts/message/operations.ts";
import type { ItemTab } from "./item-tabs.ts";

/** Path of an operation's resources. */
export const operationPath = (id: string, rest = "") => `/api/v1/operations/${encodeURIComponent(id)}${rest}`;

export const operationQuery = (id: string) =>
  queryOptions({
    queryKey: ["operation", id],
    queryFn: ({ signal }) => apiGet(operationSchema, operationPath(id), undefined, signal),
  });

/** Newest first; of every outbox without `outbox`. */
export const operationsQuery = (outbox?: string, cursor?: string) =>
  queryOptions({
    queryKey: ["operations", outbox ?? null, cursor ?? null],
    queryFn: ({ signal }) => apiGet(operationListSchema, "/api/v1/operations", { outbox, cursor }, signal),
  });

/** Operations of every outbox that have not ended. */
export const runningOperationsQuery = () =>
  queryOptions({
    queryKey: ["operations", "running"],
    queryFn: ({ signal }) => apiGet(operationListSchema, "/api/v1/operations", { running: "true" }, signal),
  });

export const itemsQuery = (id: string, tab: ItemTab, cursor?: string) =>
  queryOptions({
    queryKey: ["operation-items", id, tab, cursor ?? null],
    queryFn: ({ signal }) => {
      const outcome = tab === "all" ? undefined : tab;
      return apiGet(operationItemListSchema, operationPath(id, "/items"), { outcome, cursor, limit: 50 }, signal);
    },
  });

/** What an action would do; a read, although its request has a body. */
export const previewQuery = (outbox: string, request: PreviewRequest) =>
  previewOf("operation-preview", outbox, request);

/** The same for a dialog: no other reading of the page and no action changes it once it is read. */
export const dialogPreviewQuery = (outbox: string, request: PreviewRequest) => ({
  ...previewOf("dialog-preview", outbox, request),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});

const previewOf = (reader: string, outbox: string, request: PreviewRequest) =>
  queryOptions({
    queryKey: [reader, outbox, request],
    retry: false,
    queryFn: ({ signal }) =>
      apiReadBy(operationPreviewSchema, outboxPath(outbox, "/operations/preview"), request, signal),
  });
