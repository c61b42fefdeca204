import { queryOptions } from "@tanstack/react-query";
import { sessionListSchema, sessionSchema } from "#contracts/access/session.ts";
import { tokenListSchema } from "#contracts/access/tokens.ts";
import { demoSchema } from "#contracts/demo.ts";
import { failureGroupListSchema } from "#contracts/message/messages.ts";
import { connectorSchema } from "#contracts/outbox/connectors.ts";
import { outboxDetailSchema, outboxListSchema } from "#contracts/outbox/outboxes.ts";
import { relayListSchema } from "#contracts/outbox/relays.ts";
import { seriesSchema, snapshotSchema } from "#contracts/outbox/snapshot.ts";
import { inboxRetentionPreviewSchema, retentionPreviewSchema, storageSchema } from "#contracts/outbox/storage.ts";
import { alertListSchema } from "#contracts/watch/alerts.ts";
import { deployListSchema } from "#contracts/watch/deploys.ts";
import { findingListSchema } from "#contracts/watch/findings.ts";
import { healthSchema } from "#contracts/watch/health.ts";
import { incidentDetailSchema, incidentListSchema } from "#contracts/watch/incidents.ts";
import type { FailureGrouping } from "#domain/message/failure-grouping.ts";
import { apiGet } from "./api-client.ts";

/** Path of an outbox's resources; names may contain any character, so they are encoded here. */
export function outboxPath(outbox: string, rest = ""): string {
  return `/api/v1/outboxes/${encodeURIComponent(outbox)}${rest}`;
}

export const outboxesQuery = () =>
  queryOptions({
    queryKey: ["outboxes"],
    meta: { live: true, freshness: true },
    queryFn: ({ signal }) => apiGet(outboxListSchema, "/api/v1/outboxes", undefined, signal),
  });

export const outboxQuery = (outbox: string) =>
  queryOptions({
    queryKey: ["outbox", outbox],
    queryFn: ({ signal }) => apiGet(outboxDetailSchema, outboxPath(outbox), undefined, signal),
  });

export const snapshotQuery = (outbox: string) =>
  queryOptions({
    queryKey: ["snapshot", outbox],
    queryFn: ({ signal }) => apiGet(snapshotSchema, outboxPath(outbox, "/snapshot"), undefined, signal),
  });

/** `rangeSeconds` back from the server's current time. */
export const seriesQuery = (outbox: string, rangeSeconds: number, stepSeconds: number, nowMs: () => number) =>
  queryOptions({
    queryKey: ["series", outbox, rangeSeconds],
    queryFn: ({ signal }) => {
      const to = nowMs();
      const from = new Date(to - rangeSeconds * 1000).toISOString();
      const params = { from, to: new Date(to).toISOString(), step: stepSeconds };
      return apiGet(seriesSchema, outboxPath(outbox, "/series"), params, signal);
    },
  });

export const failureGroupsQuery = (outbox: string, by: FailureGrouping = "text") =>
  queryOptions({
    queryKey: ["failure-groups", outbox, by],
    queryFn: ({ signal }) => apiGet(failureGroupListSchema, outboxPath(outbox, "/failure-groups"), { by }, signal),
  });

/** Deploys that concern an outbox, newest first. */
export const deploysQuery = (outbox: string) =>
  queryOptions({
    queryKey: ["deploys", outbox],
    queryFn: ({ signal }) => apiGet(deployListSchema, "/api/v1/deploys", { outbox }, signal),
  });

export const alertsQuery = () =>
  queryOptions({
    queryKey: ["alerts"],
    queryFn: ({ signal }) => apiGet(alertListSchema, "/api/v1/alerts", undefined, signal),
  });

/** Path of an incident. */
export function incidentPath(id: number | string): string {
  return `/api/v1/incidents/${encodeURIComponent(id)}`;
}

export const incidentsQuery = (state: "open" | "all") =>
  queryOptions({
    queryKey: ["incidents", state],
    queryFn: ({ signal }) => apiGet(incidentListSchema, "/api/v1/incidents", { state }, signal),
  });

export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: ["incident", id],
    queryFn: ({ signal }) => apiGet(incidentDetailSchema, incidentPath(id), undefined, signal),
  });

export const findingsQuery = (outbox: string) =>
  queryOptions({
    queryKey: ["findings", outbox],
    queryFn: ({ signal }) => apiGet(findingListSchema, outboxPath(outbox, "/findings"), undefined, signal),
  });

export const storageQuery = (outbox: string) =>
  queryOptions({
    queryKey: ["storage", outbox],
    queryFn: ({ signal }) => apiGet(storageSchema, outboxPath(outbox, "/storage"), undefined, signal),
  });

/** A dry run: asked for by a person, and never again by itself. */
export const retentionPreviewQuery = (outbox: string, rule: { keepDays: number; how: "delete" | "archive" }) =>
  queryOptions({
    queryKey: ["retention-preview", outbox, rule.keepDays, rule.how],
    queryFn: ({ signal }) =>
      apiGet(retentionPreviewSchema, outboxPath(outbox, "/retention/preview"), { ...rule }, signal),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const inboxRetentionPreviewQuery = (inbox: string, keepDays: number) =>
  queryOptions({
    queryKey: ["inbox-retention-preview", inbox, keepDays],
    queryFn: ({ signal }) =>
      apiGet(
        inboxRetentionPreviewSchema,
        `/api/v1/inboxes/${encodeURIComponent(inbox)}/retention/preview`,
        { keepDays },
        signal,
      ),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const relaysQuery = () =>
  queryOptions({
    queryKey: ["relays"],
    queryFn: ({ signal }) => apiGet(relayListSchema, "/api/v1/relays", undefined, signal),
  });

export const connectorQuery = (outbox: string) =>
  queryOptions({
    queryKey: ["connector", outbox],
    queryFn: ({ signal }) =>
      apiGet(connectorSchema, `/api/v1/relays/${encodeURIComponent(outbox)}/connector`, undefined, signal),
  });

export const healthQuery = () =>
  queryOptions({
    queryKey: ["health"],
    queryFn: ({ signal }) => apiGet(healthSchema, "/api/health", undefined, signal),
  });

export const sessionQuery = () =>
  queryOptions({
    queryKey: ["session"],
    queryFn: ({ signal }) => apiGet(sessionSchema, "/api/v1/session", undefined, signal),
    staleTime: 60_000,
  });

export const sessionsQuery = () =>
  queryOptions({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => apiGet(sessionListSchema, "/api/v1/sessions", undefined, signal),
  });

export const tokensQuery = () =>
  queryOptions({
    queryKey: ["tokens"],
    queryFn: ({ signal }) => apiGet(tokenListSchema, "/api/v1/tokens", undefined, signal),
  });

/** No faults means that no demo is running. */
export const demoQuery = () =>
  queryOptions({
    queryKey: ["demo"],
    queryFn: ({ signal }) => apiGet(demoSchema, "/api/v1/demo", undefined, signal),
    retry: false,
  });
