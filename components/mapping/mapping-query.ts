import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { apiGet, apiReadBy } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import { type MappingProposal, mappingPreviewSchema } from "#contracts/outbox/mapping.ts";

/** Path of what the API says of an outbox's mapping. */
export const pathOfOutbox = (outbox: string) => outboxPath(outbox, "");

/** The same of a table that may be an outbox. */
export const pathOfTable = (store: string, table: string) =>
  `/api/v1/stores/${encodeURIComponent(store)}/tables/${encodeURIComponent(table)}`;

/** The table as the proposal would show it; without one, as it is shown now. */
export const mappingQuery = (path: string, proposal: MappingProposal | null) =>
  queryOptions({
    queryKey: ["mapping", path, proposal],
    queryFn: ({ signal }) =>
      proposal === null
        ? apiGet(mappingPreviewSchema, `${path}/mapping`, undefined, signal)
        : apiReadBy(mappingPreviewSchema, `${path}/mapping`, proposal, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
