"use client";

import { useQuery } from "@tanstack/react-query";
import { failureGroupsQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { NoOutbox } from "#components/outbox/no-outbox.tsx";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { SilenceNote } from "#components/ui/notices/silence-note.tsx";
import { PageHeader } from "#components/ui/page/page-header.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { useAddress } from "#components/ui/page/use-address.ts";
import { Instant } from "#components/ui/values/instant.tsx";
import type { FailureGroupList } from "#contracts/message/messages.ts";
import { formatCount } from "#domain/format.ts";
import type { FailureGrouping } from "#domain/message/failure-grouping.ts";
import { FoldedGroups } from "./folded-groups.tsx";
import { GroupChoice, readGrouping } from "./group-choice.tsx";
import { UnreadGroups } from "./unread-groups.tsx";

const PACE_MS = 5_000;

const LEADS: Record<FailureGrouping, string> = {
  text: "Failed and dead messages, grouped by error and event type.",
  code: "Failed and dead messages, grouped by the error code that the relay recorded.",
  type: "Failed and dead messages, grouped by event type.",
};

export function FailuresPage() {
  const { name, isPending } = useOutbox();
  const live = useLive();
  const by = readGrouping(useAddress().params);
  const options = failureGroupsQuery(name ?? "", by);
  const failure = useFailure(options.queryKey);
  const query = useQuery({
    ...options,
    ...liveOptions(live, { atLeastMs: PACE_MS }),
    enabled: name !== undefined,
  });
  const data = query.data;
  return (
    <>
      <PageHeader title="Failures" lead={LEADS[by]} actions={<GroupChoice />} />
      {failure !== null && (
        <SilenceNote
          title="The groups could not be read."
          error={failure}
          asOf={data?.asOf}
          onRetry={() => void query.refetch()}
        />
      )}
      {name === undefined && !isPending && <NoOutbox />}
      {(data !== undefined || (failure === null && (name !== undefined || isPending))) && (
        <Panel
          flush
          className={failure === null ? undefined : "last-known"}
          title={data?.groups.length === 0 ? undefined : "Groups"}
          aside={data && <Aside list={data} />}
        >
          {data?.groups.length === 0 && !data.complete ? (
            <UnreadGroups list={data} />
          ) : data?.groups.length === 0 ? (
            <EmptyState title="Nothing has failed.">
              Messages with a failed attempt, and dead letters, appear here in groups. As of <Instant at={data.asOf} />{" "}
              UTC.
            </EmptyState>
          ) : (
            <FoldedGroups list={data} />
          )}
        </Panel>
      )}
    </>
  );
}

function Aside({ list: { complete, read, asOf, markProblem } }: { list: FailureGroupList }) {
  const extent = complete ? "all of them" : `at least, from the newest ${formatCount(read)} failures`;
  return (
    <>
      {extent}, as of <Instant at={asOf} /> UTC
      {markProblem !== null && "; notes and decisions not read"}
    </>
  );
}
