"use client";

import { useQuery } from "@tanstack/react-query";
import { snapshotQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useLiveState } from "#components/live/use-live-state.ts";
import { useOutbox } from "#components/shell/use-outbox.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNote } from "#components/ui/error-note.tsx";
import { Panel } from "#components/ui/panel.tsx";
import { ChartsSection } from "./charts-section.tsx";
import { FailureGroupsPanel } from "./failure-groups-panel.tsx";
import { FindingsPanel } from "./findings-panel.tsx";
import { ObserveNote } from "./observe-note.tsx";
import { OutboxesPanel } from "./outboxes-panel.tsx";
import css from "./overview.module.css";
import { SilenceNote } from "./silence-note.tsx";
import { Tiles } from "./tiles.tsx";
import { VerdictBanner } from "./verdict-banner.tsx";

/** The first ten seconds at night: is it broken, since when, is it getting worse, where do I go. */
export function Overview() {
  const { name, outbox, list, error } = useOutbox();
  if (list !== undefined && list.outboxes.length === 0) return <NoOutboxes problems={list.problems} />;
  return (
    <div className={css.stack}>
      {name === undefined && error !== null && <ErrorNote title="The outboxes could not be read." error={error} />}
      <CurrentOutbox name={name} observed={outbox?.mode === "observe"} />
      <OutboxesPanel list={list} />
    </div>
  );
}

function CurrentOutbox({ name, observed }: { name: string | undefined; observed: boolean }) {
  const live = useLive();
  const { state } = useLiveState();
  const query = useQuery({ ...snapshotQuery(name ?? ""), ...liveOptions(live), enabled: name !== undefined });
  const snapshot = query.data;
  const silent = query.error !== null || (snapshot !== undefined && state === "stale");
  return (
    <>
      {silent && (
        <SilenceNote
          error={query.error}
          asOf={snapshot?.asOf}
          receivedMs={query.dataUpdatedAt}
          onRetry={() => void query.refetch()}
        />
      )}
      <div className={silent ? `${css.stack} ${css.old}` : css.stack}>
        {(!silent || snapshot !== undefined) && <VerdictBanner snapshot={snapshot} />}
        {observed && <ObserveNote />}
        <Tiles snapshot={snapshot} unknown={silent} />
      </div>
      {name !== undefined && (
        <>
          <ChartsSection outbox={name} limitSeconds={snapshot?.thresholds.oldestPending.failSeconds} />
          <FindingsPanel outbox={name} />
          <FailureGroupsPanel outbox={name} />
        </>
      )}
    </>
  );
}

function NoOutboxes({ problems }: { problems: readonly { store: string; message: string }[] }) {
  return (
    <div className={css.stack}>
      {problems.map((problem) => (
        <ErrorNote key={problem.store} title={`${problem.store}:`}>
          {problem.message}
        </ErrorNote>
      ))}
      <Panel>
        <EmptyState title="No outbox is known.">
          None of the tables in the connected databases looks like an outbox. Name the table in <code>outbox.yaml</code>
          , with a <code>columns:</code> mapping where its columns have other names.
        </EmptyState>
      </Panel>
    </div>
  );
}
