"use client";

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiGet, apiPost } from "#components/api/api-client.ts";
import { failureGroupsQuery, outboxPath } from "#components/api/queries.ts";
import { takeAnswer } from "#components/api/take-answer.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { GROUP_WITHOUT_ERROR, type GroupAct, type GroupMemory, groupMemorySchema } from "#contracts/message/groups.ts";

const PACE_MS = 5_000;

const groupApiPath = (outbox: string, fingerprint: string) =>
  outboxPath(outbox, `/failure-groups/${encodeURIComponent(fingerprint || GROUP_WITHOUT_ERROR)}`);

const groupMemoryQuery = (outbox: string, fingerprint: string) =>
  queryOptions({
    queryKey: ["group-memory", outbox, fingerprint],
    queryFn: ({ signal }) => apiGet(groupMemorySchema, groupApiPath(outbox, fingerprint), undefined, signal),
  });

/** Notes and decisions about a group, and what changes them. */
export function useGroupMemory(outbox: string, fingerprint: string) {
  const client = useQueryClient();
  const options = groupMemoryQuery(outbox, fingerprint);
  // The page's age is that of its failures; a silent console database is said in the panel.
  const error = useFailure(options.queryKey);
  const query = useQuery({ ...options, ...liveOptions(useLive(), { atLeastMs: PACE_MS, freshness: false }) });
  const command = {
    mutationFn: (act: GroupAct) => apiPost(groupMemorySchema, groupApiPath(outbox, fingerprint), act),
    onSuccess: (memory: GroupMemory) => takeAnswer(client, options.queryKey, memory),
    // After a refusal too: somebody else has changed it.
    onError: () => client.invalidateQueries({ queryKey: options.queryKey }),
    onSettled: () => client.invalidateQueries({ queryKey: failureGroupsQuery(outbox).queryKey }),
  };
  const acting = useMutation(command);
  // A decision that is made meanwhile must not hide what became of a note.
  const noting = useMutation(command);
  return { memory: query.data, error, acting, noting };
}
