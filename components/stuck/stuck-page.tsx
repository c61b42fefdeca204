"use client";

import { useQuery } from "@tanstack/react-query";
import { findingsQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { readBefore } from "#components/live/read-before.ts";
import { useFailure } from "#components/live/use-failure.ts";
import { NoOutbox } from "#components/outbox/no-outbox.tsx";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { SilenceNote } from "#components/ui/notices/silence-note.tsx";
import { PageHeader } from "#components/ui/page/page-header.tsx";
import { useAddress } from "#components/ui/page/use-address.ts";
import { Instant } from "#components/ui/values/instant.tsx";
import type { FindingList } from "#contracts/watch/findings.ts";
import { CheckedRules } from "./checked-rules.tsx";
import { FindingCard } from "./finding-card.tsx";
import css from "./stuck.module.css";

const PACE_MS = 5_000;

/** An outbox's findings, read while the page was rendered. */
export interface FirstFindings {
  outbox: string;
  list: FindingList;
}

/** Every cause of the banner, in its order, each with the evidence and a safe next step. */
export function StuckPage({ first }: { first?: FirstFindings | undefined }) {
  const { name, isPending } = useOutbox();
  const asked = useAddress().params.get("finding");
  const options = findingsQuery(name ?? "");
  const failure = useFailure(options.queryKey);
  const query = useQuery({
    ...options,
    ...liveOptions(useLive(), { atLeastMs: PACE_MS }),
    enabled: name !== undefined,
    ...(first !== undefined && first.outbox === name && readBefore(first.list, first.list.asOf)),
  });
  const data = query.data;
  return (
    <>
      <div className={failure === null ? undefined : "last-known"}>
        <PageHeader
          title={<Title list={data} />}
          lead="Messages that should be moving but are not, worst first, with the reason and a safe next step."
        />
      </div>
      {failure !== null && (
        <SilenceNote
          title="The findings could not be read."
          error={failure}
          asOf={data?.asOf}
          onRetry={() => void query.refetch()}
        />
      )}
      {name === undefined && !isPending && <NoOutbox />}
      {data === undefined && failure === null && (name !== undefined || isPending) && (
        <div className={css.skeleton} aria-busy />
      )}
      {data !== undefined && (
        <div className={failure === null ? css.stack : `${css.stack} last-known`}>
          {asked !== null && data.findings.every(({ id }) => id !== asked) && (
            <p className={css.over}>
              The finding behind this link is over. As of <Instant at={data.asOf} /> UTC
              {data.findings.length === 0 ? " nothing is stuck." : " these remain:"}
            </p>
          )}
          {data.findings.map((finding) => (
            <FindingCard key={finding.id} finding={finding} asked={finding.id === asked} />
          ))}
          <CheckedRules list={data} />
        </div>
      )}
    </>
  );
}

/** The banner's exact sentence. */
function Title({ list }: { list: FindingList | undefined }) {
  if (list === undefined) return "Stuck";
  const { verdict, findings, unchecked } = list;
  if (verdict.cause === null && findings.length === 0)
    return unchecked.length === 0 ? "Nothing is stuck" : "Nothing is known to be stuck";
  if (verdict.cause === null) return verdict.title;
  const tone = verdict.status === "fail" ? "tone-bad" : verdict.word === "paused" ? undefined : "tone-warn";
  return (
    <>
      <span className={tone}>{verdict.title}</span>
      {`: ${verdict.cause}`}
    </>
  );
}
