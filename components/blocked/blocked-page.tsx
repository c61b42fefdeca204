"use client";

import { EmptyPage } from "#components/lists/empty-page.tsx";
import { Paging } from "#components/lists/paging.tsx";
import { NoOutbox } from "#components/outbox/no-outbox.tsx";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { SilenceNote } from "#components/ui/notices/silence-note.tsx";
import { PageHeader } from "#components/ui/page/page-header.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { BlockedList } from "#contracts/outbox/blocked.ts";
import { formatPlural } from "#domain/format.ts";
import css from "./blocked.module.css";
import { BlockedTable } from "./blocked-table.tsx";
import { describeExtent } from "./blocked-words.ts";
import { type BlockedModel, useBlocked } from "./use-blocked.ts";

const OperationDialog = lazyDialog(() =>
  import("#components/action/operation-dialog.tsx").then((module) => module.OperationDialog),
);
const PauseDialog = lazyDialog(() =>
  import("#components/relays/pause-dialog.tsx").then((module) => module.PauseDialog),
);
const ResumeDialog = lazyDialog(() =>
  import("#components/relays/resume-dialog.tsx").then((module) => module.ResumeDialog),
);

/** Aggregates whose later messages wait, the longest first, each with what holds it and what can be done. */
export function BlockedPage() {
  const { isPending } = useOutbox();
  const page = useBlocked();
  const { name, query, failure, cursor } = page;
  const data = query.data;
  return (
    <>
      <PageHeader
        title="Blocked aggregates"
        lead="Aggregates whose later messages wait for one that failed, is dead, or was paused. Longest blocked first."
      />
      {failure !== null && (
        <SilenceNote
          title="The blocked aggregates could not be read."
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
          title={data === undefined || data.aggregates.length > 0 ? "Aggregates" : undefined}
          aside={
            data === undefined ? undefined : (
              <>
                {describeExtent(data)}, as of <Instant at={data.asOf} /> UTC
              </>
            )
          }
        >
          {data !== undefined && data.unknown !== null && data.aggregates.length > 0 && (
            <p className={css.unknown}>{data.unknown}</p>
          )}
          {data?.aggregates.length === 0 ? (
            <Nothing list={data} later={cursor !== undefined} onFirst={() => page.onGo(undefined)} />
          ) : (
            <BlockedTable page={page} rows={data?.aggregates} />
          )}
          <Paging cursor={cursor} nextCursor={data?.nextCursor ?? null} onGo={page.onGo} />
        </Panel>
      )}
      {page.ask !== undefined && name !== undefined && <Ask outbox={name} page={page} />}
    </>
  );
}

function Nothing({ list, later, onFirst }: { list: BlockedList; later: boolean; onFirst: () => void }) {
  if (list.nextCursor !== null)
    return (
      <EmptyState title="Nothing waits behind the heads checked so far.">
        {`${formatPlural(list.looked, "aggregate")} with a failed or held head ${list.looked === 1 ? "was" : "were"} checked; nothing waits behind ${list.looked === 1 ? "it" : "them"}. The next page continues.`}
      </EmptyState>
    );
  if (later && list.unknown === null) return <EmptyPage onFirst={onFirst} />;
  return (
    <EmptyState title={list.unknown === null ? "No aggregate is blocked." : "Nothing to list here."}>
      {list.unknown ??
        "An aggregate is listed here while messages wait behind one that failed, is held, quarantined or paused."}{" "}
      As of <Instant at={list.asOf} /> UTC.
    </EmptyState>
  );
}

function Ask({ outbox, page }: { outbox: string; page: BlockedModel }) {
  const { ask, scope, closeAsk } = page;
  if (ask === undefined) return null;
  const { action, aggregate } = ask;
  const subject = { aggregateKey: aggregate.aggregateKey };
  if (action === "pause") return <PauseDialog outbox={outbox} subject={subject} onClose={closeAsk} />;
  if (action === "resume")
    return (
      <ResumeDialog
        outbox={outbox}
        subject={subject}
        held={aggregate.pauses.some(({ held }) => held)}
        onClose={closeAsk}
      />
    );
  if (aggregate.head === null) return null;
  return (
    <OperationDialog outbox={outbox} ask={{ action, messages: [aggregate.head] }} scope={scope} onClose={closeAsk} />
  );
}
