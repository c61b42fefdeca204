"use client";

import { useQuery } from "@tanstack/react-query";
import { relaysQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { SilenceNote } from "#components/ui/notices/silence-note.tsx";
import { PageHeader } from "#components/ui/page/page-header.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { RelayList } from "#contracts/outbox/relays.ts";
import { ConnectorPanel } from "./connector-panel.tsx";
import { GoneRelays } from "./gone-relays.tsx";
import { LeaseTable } from "./lease-table.tsx";
import { MonitorLine } from "./monitor-line.tsx";
import { PartialPauses } from "./partial-pauses.tsx";
import { PauseNotice } from "./pause-notice.tsx";
import { RelayCard } from "./relay-card.tsx";
import { RelayControls } from "./relay-controls.tsx";
import { type NotPublishing, whyNoRelay } from "./relay-words.ts";
import css from "./relays.module.css";
import { isLive, sortRelays } from "./sort-relays.ts";

export function RelaysPage() {
  const { name, outbox } = useOutbox();
  const failure = useFailure(relaysQuery().queryKey);
  const query = useQuery({ ...relaysQuery(), ...liveOptions(useLive()) });
  const data = query.data;
  const relays = sortRelays(data?.relays ?? [], name);
  const paused = data?.pauses.find((pause) => pause.outbox === name && pause.scope === "outbox");
  return (
    <>
      <PageHeader
        title="Relays"
        lead={
          outbox?.connector != null
            ? "A connector of Debezium publishes this outbox from the database's log."
            : "The processes that read the outbox and publish it. They share its aggregates in 32 partitions."
        }
        actions={
          name !== undefined &&
          data &&
          outbox?.mode === "relay" && <RelayControls outbox={name} paused={paused} silent={failure !== null} />
        }
      />
      {failure !== null && (
        <SilenceNote
          title="The relays could not be read."
          error={failure}
          asOf={data?.asOf}
          onRetry={() => void query.refetch()}
        />
      )}
      {data === undefined && failure === null && <div className={css.skeleton} aria-busy />}
      {data !== undefined && (
        <div className={failure === null ? css.stack : `${css.stack} last-known`}>
          {data.problems.map((problem) => (
            <ErrorNote key={problem.outbox} title={`The relays of ${problem.outbox} could not be read.`}>
              {problem.message}
            </ErrorNote>
          ))}
          {data.pauses
            .filter(({ scope }) => scope === "outbox")
            .map((pause) => (
              <PauseNotice key={pause.outbox} pause={pause} />
            ))}
          <PartialPauses data={data} silent={failure !== null} />
          {name !== undefined && outbox?.connector != null && <ConnectorPanel outbox={name} />}
          {outbox !== undefined && <NoRelay why={whyNoRelay(outbox, data)} />}
          {relays.filter(isLive).map((relay) => (
            <RelayCard key={relay.id} relay={relay} />
          ))}
          <GoneRelays relays={relays.filter((relay) => !isLive(relay))} />
          <MonitorLine monitor={data.monitor} />
          <Leases data={data} />
        </div>
      )}
    </>
  );
}

function Leases({ data }: { data: RelayList }) {
  if (data.leases.length === 0) return null;
  return (
    <Panel title="Leases" aside="who may publish, until when" flush>
      <LeaseTable leases={data.leases} />
    </Panel>
  );
}

function NoRelay({ why }: { why: NotPublishing | null }) {
  return why === null ? null : <EmptyState title={why.title}>{why.text}</EmptyState>;
}
