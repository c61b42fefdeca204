"use client";

import { useQuery } from "@tanstack/react-query";
import { failureGroupsQuery, findingsQuery, snapshotQuery } from "#components/api/queries.ts";
import { useOpenIncidents } from "#components/incidents/incident-queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useRunningOperations } from "#components/operations/queries/use-running-operations.ts";
import type { NavCounts } from "./nav-items.ts";

const SLOW_MS = 10_000;

/** Counts next to the page names; refreshed less often than the pages, from the same cache. */
export function useNavCounts(outbox: string | undefined): NavCounts {
  const live = useLive();
  const enabled = outbox !== undefined;
  const pace = liveOptions(live, { atLeastMs: SLOW_MS });
  const snapshot = useQuery({ ...snapshotQuery(outbox ?? ""), ...pace, enabled });
  const findings = useQuery({ ...findingsQuery(outbox ?? ""), ...pace, enabled });
  const groups = useQuery({ ...failureGroupsQuery(outbox ?? ""), ...pace, enabled });
  const { running, isWhole } = useRunningOperations();
  const incidents = useOpenIncidents();
  const list = findings.data?.findings.filter((finding) => finding.outbox === outbox);
  return {
    failures: groups.data?.groups.length,
    operations: running.length,
    operationsWhole: isWhole,
    operationsHalted: running.some(({ bulk }) => bulk.state === "halted"),
    incidents: incidents?.incidents.length,
    stuck: list?.length,
    stuckFails: list?.some((finding) => finding.severity === "fail") ?? false,
    snapshot: snapshot.data?.outbox === outbox ? snapshot.data : undefined,
  };
}
