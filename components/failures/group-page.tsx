"use client";

import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { failureGroupsQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { nameOf } from "#components/outbox/group-name.ts";
import { NoOutbox } from "#components/outbox/no-outbox.tsx";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { SilenceNote } from "#components/ui/notices/silence-note.tsx";
import { usePageTitle } from "#components/ui/page/use-page-title.ts";
import { Instant } from "#components/ui/values/instant.tsx";
import { groupingOf, groupKeyOf } from "#contracts/message/groups.ts";
import type { FailureGroupList } from "#contracts/message/messages.ts";
import { formatCount } from "#domain/format.ts";
import type { FailureGrouping } from "#domain/message/failure-grouping.ts";
import css from "./group.module.css";
import { groupingParam } from "./group-choice.tsx";
import { GroupMemoryPanel } from "./group-memory-panel.tsx";
import { GroupView } from "./group-view.tsx";

const PACE_MS = 2_000;

/** One failure group: what it is, since when, an example, where it occurs, its messages, and what can be done. */
export function GroupPage({ segment }: { segment: string }) {
  const { name, href, isPending } = useOutbox();
  const by = groupingOf(segment);
  const key = groupKeyOf(segment);
  const options = failureGroupsQuery(name ?? "", by);
  const failure = useFailure(options.queryKey);
  const query = useQuery({
    ...options,
    ...liveOptions(useLive(), { atLeastMs: PACE_MS }),
    enabled: name !== undefined,
  });
  const list = query.data;
  const group = list?.groups.find((one) => one.key === key);
  usePageTitle(group && `${nameOf(group)}: failures of ${name}`);
  return (
    <>
      <Link className={css.back} href={href("/failures", groupingParam(by))}>
        <IconArrowLeft size={14} aria-hidden /> Failures
      </Link>
      {failure !== null && (
        <SilenceNote
          title="The group could not be read."
          error={failure}
          asOf={list?.asOf}
          onRetry={() => void query.refetch()}
        />
      )}
      {group === undefined && <Missing list={list} known={name !== undefined || isPending} failed={failure !== null} />}
      {group === undefined && list !== undefined && name !== undefined && by === "text" && (
        <GroupMemoryPanel outbox={name} fingerprint={key} group={undefined} />
      )}
      {group !== undefined && name !== undefined && list !== undefined && (
        <div className={failure === null ? undefined : "last-known"}>
          <GroupView outbox={name} group={group} list={list} />
        </div>
      )}
    </>
  );
}

const MISSING: Record<FailureGrouping, string> = {
  text: "No message fails with this error now.",
  code: "No message fails with this error code now.",
  type: "No message of this type fails now.",
};

interface MissingProps {
  list: FailureGroupList | undefined;
  known: boolean;
  failed: boolean;
}

function Missing({ list, known, failed }: MissingProps) {
  if (list === undefined) {
    return (
      <>
        <h1 className="visually-hidden">Failure group</h1>
        {!known && <NoOutbox />}
        {known && !failed && <div className={css.skeleton} aria-busy />}
      </>
    );
  }
  return (
    <EmptyState heading title={MISSING[list.by]}>
      {list.complete
        ? "A message leaves its group when it is published, archived or changed by an operation."
        : `It is not among the newest ${formatCount(list.read)} failures, which are grouped here.`}{" "}
      As of <Instant at={list.asOf} /> UTC.
    </EmptyState>
  );
}
