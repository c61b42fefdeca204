"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiPost } from "#components/api/api-client.ts";
import { incidentPath, incidentQuery, incidentsQuery } from "#components/api/queries.ts";
import { takeAnswer } from "#components/api/take-answer.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import {
  type IncidentAct,
  type IncidentDetail,
  incidentDetailSchema,
  incidentSchema,
  type NewIncident,
} from "#contracts/watch/incidents.ts";

const LINE_MS = 10_000;
const PAGE_MS = 5_000;

/** Open incidents, newest first, for every page; undefined until they are known. */
export function useOpenIncidents() {
  // A silent console database must not make a page's figures old; the page of incidents says it.
  return useQuery({ ...incidentsQuery("open"), ...liveOptions(useLive(), { atLeastMs: LINE_MS, freshness: false }) })
    .data;
}

/** One incident, and what changes it. */
export function useIncident(id: string) {
  const client = useQueryClient();
  const options = incidentQuery(id);
  const query = useQuery({ ...options, ...liveOptions(useLive(), { atLeastMs: PAGE_MS }) });
  const command = {
    mutationFn: (act: IncidentAct) => apiPost(incidentDetailSchema, incidentPath(id), act),
    onSuccess: (incident: IncidentDetail) => takeAnswer(client, options.queryKey, incident),
    // After a refusal too: somebody else has changed it.
    onError: () => client.invalidateQueries({ queryKey: options.queryKey }),
    onSettled: () => client.invalidateQueries({ queryKey: ["incidents"] }),
  };
  const acting = useMutation(command);
  // An act that is made meanwhile must not hide what became of a note.
  const noting = useMutation(command);
  return { query, acting, noting };
}

export function useOpening() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (incident: NewIncident) => apiPost(incidentSchema, "/api/v1/incidents", incident),
    onSettled: () => client.invalidateQueries({ queryKey: ["incidents"] }),
  });
}
