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
import { SilenceNote } from "#components/ui/silence-note.tsx";
import type { OutboxList } from "#contracts/outboxes.ts";
import type { Snapshot } from "#contracts/snapshot.ts";
import { ChartsSection } from "./charts-section.tsx";
import { FailureGroupsPanel } from "./failure-groups-panel.tsx";
import { FindingsPanel } from "./findings-panel.tsx";
import { ObserveNote } from "./observe-note.tsx";
import { OutboxesPanel } from "./outboxes-panel.tsx";
import css from "./overview.module.css";
import { Tiles } from "./tiles.tsx";
import { VerdictBanner } from "./verdict-banner.tsx";

/** The first ten seconds at night: is it broken, since when, is it getting worse, where do I go. */
export function Overview({ first }: { first?: Snapshot | undefined }) {
  const { name, outbox, list, error, retry } = useOutbox();
  const live = useLive();
  const { state } = useLiveState();
  const query = useQuery({
    ...snapshotQuery(name ?? ""),
    ...liveOptions(live),
    enabled: name !== undefined,
    ...(first !== undefined &&
      first.outbox === name && { initialData: first, initialDataUpdatedAt: Date.parse(first.asOf) }),
  });
  if (list !== undefined && list.outboxes.length === 0) return <NoOutboxes problems={list.problems} />;

  if (list !== undefined && outbox === undefined) return <UnknownOutbox name={name ?? ""} list={list} />;

  const snapshot = query.data;
  // The list comes first, often with the page itself, and knows the verdict: the banner has its final size at once.
  const verdict = snapshot?.verdict ?? outbox?.verdict;
  const failure = query.error ?? (name === undefined ? error : null);
  const silent = failure !== null || (snapshot !== undefined && state === "stale");
  return (
    <div className={css.stack}>
      {silent && (
        <SilenceNote
          error={failure}
          asOf={snapshot?.asOf}
          receivedMs={query.dataUpdatedAt}
          onRetry={() => void (name === undefined ? retry() : query.refetch())}
        />
      )}
      <div className={silent ? `${css.stack} last-known` : css.stack}>
        {(!silent || verdict !== undefined) && <VerdictBanner verdict={verdict} />}
        {outbox?.mode === "observe" && <ObserveNote />}
        <Tiles snapshot={snapshot} unknown={silent} />
        <ChartsSection outbox={name} limitSeconds={snapshot?.thresholds.oldestPending.failSeconds} silent={silent} />
        <FindingsPanel outbox={name} />
        <FailureGroupsPanel outbox={name} />
        <OutboxesPanel list={list} />
      </div>
    </div>
  );
}

function UnknownOutbox({ name, list }: { name: string; list: OutboxList }) {
  return (
    <div className={css.stack}>
      <Panel>
        <EmptyState title={`No outbox is named ${name}.`}>
          It may have been renamed in <code>outbox.yaml</code>, or its database does not answer. These are known:
        </EmptyState>
      </Panel>
      <OutboxesPanel list={list} />
    </div>
  );
}

function NoOutboxes({ problems }: { problems: readonly { store: string; message: string }[] }) {
  return (
    <div className={css.stack}>
      {problems.map((problem) => (
        <ErrorNote key={`${problem.store}: ${problem.message}`} title={`${problem.store}:`}>
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
