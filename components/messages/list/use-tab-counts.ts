"use client";

import { type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { snapshotQuery } from "#components/api/queries.ts";
import type { MessageFilters } from "#components/filters/message-filters.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import type { Figure } from "#contracts/common.ts";
import type { MessageList } from "#contracts/message/messages.ts";
import { messagesQuery } from "./messages-query.ts";
import { countOf, countsOfSnapshot, type TabCounts, USUAL_TABS } from "./tabs.ts";

const PACE_MS = 15_000;

interface TabCountsInput {
  outbox: string | undefined;
  filters: MessageFilters;
  list: { list: MessageList | undefined; error: Error | null };
}

/**
 * Counts of the tabs. The current tab's count is the one read with its rows, so that the two never differ, unless it
 * stopped before the snapshot's. With filters, the list endpoint counts the others with the same filters, at a longer
 * interval.
 */
export function useTabCounts({ outbox, filters, list }: TabCountsInput): TabCounts {
  const live = useLive();
  const filtered = Object.keys(filters.fields).length > 0;
  const snapshot = useQuery({ ...snapshotQuery(outbox ?? ""), ...liveOptions(live), enabled: outbox !== undefined });
  const others = USUAL_TABS.filter((tab) => filtered && outbox !== undefined && tab !== filters.state);
  const answers = useQueries({
    queries: others.map((state) => ({
      ...messagesQuery({ outbox: outbox ?? "", filters: { ...filters, state }, cursor: undefined, limit: 1 }),
      // A refused count leaves its tab without a count and does not affect the page's freshness.
      ...liveOptions(live, { atLeastMs: PACE_MS, freshness: false }),
    })),
    combine: readMatching,
  });
  const whole = snapshot.data?.outbox === outbox && snapshot.data ? countsOfSnapshot(snapshot.data) : {};
  const base = filtered ? Object.fromEntries(others.map((tab, index) => [tab, answers[index]])) : whole;
  const current = countOf(list.list, filtered ? list.error : null);
  return current === undefined ? base : { ...base, [filters.state]: better(current, base[filters.state]) };
}

/** A list stops counting earlier than the snapshot: where it did, a count that goes further says more. */
function better(ofList: Figure, other: Figure | undefined): Figure {
  const goesFurther = other !== undefined && other.precision === "exact" && other.value >= ofList.value;
  return ofList.precision === "capped" && goesFurther ? other : ofList;
}

function readMatching(answers: readonly Pick<UseQueryResult<MessageList>, "data" | "error">[]) {
  return answers.map(({ data, error }) => countOf(data, error));
}
