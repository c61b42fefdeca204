"use client";

import { useQuery } from "@tanstack/react-query";
import { findingsQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useOutbox } from "#components/shell/use-outbox.ts";
import { formatUtcTime } from "#components/ui/format-instant.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Panel } from "#components/ui/panel.tsx";
import { SilenceNote } from "#components/ui/silence-note.tsx";
import { CheckedRules } from "./checked-rules.tsx";
import { FindingCard } from "./finding-card.tsx";
import { sortFindings } from "./sort-findings.ts";
import css from "./stuck.module.css";

const PACE_MS = 5_000;

export function StuckPage() {
  const { name } = useOutbox();
  const live = useLive();
  const query = useQuery({
    ...findingsQuery(name ?? ""),
    ...liveOptions(live, { atLeastMs: PACE_MS }),
    enabled: name !== undefined,
  });
  const data = query.data;
  const nothing = data?.findings.length === 0;
  return (
    <>
      <PageHeader
        title="Stuck"
        lead="What does not move although it should, worst first, with the reason and a safe next step."
      />
      {query.error !== null && (
        <SilenceNote
          title="The findings could not be read."
          error={query.error}
          asOf={data?.asOf}
          receivedMs={query.dataUpdatedAt}
          onRetry={() => void query.refetch()}
        />
      )}
      {data === undefined && query.error === null && <div className={css.skeleton} aria-busy />}
      {data !== undefined && (
        <div className={query.error === null ? css.stack : `${css.stack} last-known`}>
          {nothing && (
            <p className={css.fine} role="status">
              <b>Nothing is stuck.</b>{" "}
              <span className="muted">Every rule below was checked at {formatUtcTime(data.asOf)} UTC.</span>
            </p>
          )}
          {sortFindings(data.findings).map((finding) => (
            <FindingCard key={finding.id} finding={finding} />
          ))}
          <Panel title="Rules that were checked" aside={`as of ${formatUtcTime(data.asOf)} UTC`} flush>
            <CheckedRules list={data} />
          </Panel>
        </div>
      )}
    </>
  );
}
