"use client";

import { useQuery } from "@tanstack/react-query";
import { snapshotQuery } from "#components/api/queries.ts";
import { CandidatesPanel } from "#components/fleet/candidates-panel.tsx";
import { FleetPage } from "#components/fleet/fleet-page.tsx";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { readBefore } from "#components/live/read-before.ts";
import { useFailure } from "#components/live/use-failure.ts";
import { type CurrentOutbox, useOutbox } from "#components/outbox/use-outbox.ts";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { VerdictOrSilence } from "#components/verdict/verdict-or-silence.tsx";
import type { OutboxList } from "#contracts/outbox/outboxes.ts";
import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import { ChartsSection } from "./charts-section.tsx";
import { FailureGroupsPanel } from "./failure-groups-panel.tsx";
import { FindingsPanel } from "./findings-panel.tsx";
import { NoOutboxes } from "./no-outboxes.tsx";
import { ObserveNote } from "./observe-note.tsx";
import { OutboxesPanel } from "./outboxes-panel.tsx";
import css from "./overview.module.css";
import { Tiles } from "./tiles.tsx";

/** `/`: all outboxes if there are several and none is selected; otherwise one of them. */
export function Overview({ first }: { first?: Snapshot | undefined }) {
  const current = useOutbox();
  const { name, fleet, outbox, list, error, retry } = current;
  if (list === undefined) return <OneOutbox current={current} first={first} />;
  if (list.outboxes.length === 0) return <NoOutboxes list={list} />;
  if (fleet) return <FleetPage list={list} error={error} onRetry={() => void retry()} />;
  if (outbox === undefined) return <UnknownOutbox name={name ?? ""} list={list} />;
  return <OneOutbox current={current} first={first} />;
}

/** For the first ten seconds on call: is it broken, since when, is it getting worse, where to go next. */
function OneOutbox({ current, first }: { current: CurrentOutbox; first: Snapshot | undefined }) {
  const { name, outbox, list, retry } = current;
  const options = snapshotQuery(name ?? "");
  const query = useQuery({
    ...options,
    ...liveOptions(useLive()),
    enabled: name !== undefined,
    ...(first !== undefined && first.outbox === name && readBefore(first, first.asOf)),
  });
  const failure = useFailure(options.queryKey) ?? (name === undefined ? current.error : null);
  const silent = failure !== null;
  const snapshot = query.data;
  // The list arrives first, often with the page itself, and includes the verdict, which is shown until the snapshot
  // arrives.
  const verdict = snapshot?.verdict ?? outbox?.verdict;
  return (
    <div className={css.stack}>
      <VerdictOrSilence
        verdict={verdict}
        outboxes={name === undefined ? [] : [name]}
        silence={
          silent
            ? {
                error: failure,
                asOf: snapshot?.asOf,
                onRetry: () => void (name === undefined ? retry() : query.refetch()),
              }
            : null
        }
      />
      <div className={silent ? `${css.stack} last-known` : css.stack}>
        {outbox?.mode === "observe" && <ObserveNote />}
        <Tiles snapshot={snapshot} unknown={silent} />
        <ChartsSection
          outbox={name}
          limitSeconds={snapshot?.thresholds.oldestPending.failSeconds || undefined}
          monitor={snapshot?.monitor}
          silent={silent}
        />
        <FindingsPanel outbox={name} />
        <FailureGroupsPanel outbox={name} />
        <OutboxesPanel list={list} />
        {list !== undefined && <CandidatesPanel candidates={list.candidates} />}
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
