import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { apiGet, apiPost } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import { type MappingProposal, mappingPreviewSchema } from "#contracts/mapping.ts";

/** The table as the proposal would show it; without one, as it is shown now. */
export const mappingQuery = (outbox: string, proposal: MappingProposal | null) =>
  queryOptions({
    queryKey: ["mapping", outbox, proposal],
    queryFn: ({ signal }) =>
      proposal === null
        ? apiGet(mappingPreviewSchema, outboxPath(outbox, "/mapping"), undefined, signal)
        : apiPost(mappingPreviewSchema, outboxPath(outbox, "/mapping"), proposal),
    placeholderData: keepPreviousData,
    retry: false,
  });
