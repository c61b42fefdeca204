"use client";

import { useQuery } from "@tanstack/react-query";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNote } from "#components/ui/error-note.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { useAddress } from "#components/ui/use-address.ts";
import type { InboxSummary } from "#contracts/inboxes.ts";
import css from "./inbox.module.css";
import { InboxCandidates } from "./inbox-candidates.tsx";
import { InboxMessages } from "./inbox-messages.tsx";
import { inboxesQuery } from "./inbox-queries.ts";
import { InboxTiles } from "./inbox-tiles.tsx";
import { Reconciliation } from "./reconciliation/reconciliation.tsx";

const PACE_MS = 5_000;

export function InboxPage() {
  const { name } = useOutbox();
  const { params, change } = useAddress();
  const failure = useFailure(inboxesQuery().queryKey);
  const query = useQuery({ ...inboxesQuery(), ...liveOptions(useLive(), { atLeastMs: PACE_MS }) });
  const inboxes = sortForOutbox(query.data?.inboxes ?? [], name);
  const current = inboxes.find((inbox) => inbox.name === params.get("inbox")) ?? inboxes[0];
  return (
    <>
      <PageHeader title="Inbox" lead="Messages that consumers have received and processed. Repeats have no effect." />
      {failure !== null && (
        <ErrorNote title="The inboxes could not be read." error={failure} onRetry={() => void query.refetch()} />
      )}
      {query.data === undefined && failure === null && <div className={css.skeleton} aria-busy />}
      {query.data?.inboxes.length === 0 && (
        <EmptyState title="No inbox was found.">
          Tables in which consumers record processed messages appear here. They are recognised by their columns, or
          named under “inboxes” in outbox.yaml.
        </EmptyState>
      )}
      <div className={failure === null ? css.inboxes : `${css.inboxes} last-known`}>
        {inboxes.map((inbox) => (
          <InboxTiles
            key={inbox.name}
            inbox={inbox}
            current={inbox.name === current?.name}
            onChoose={() => change({ inbox: inbox.name, cursor: undefined, consumer: undefined })}
          />
        ))}
      </div>
      <InboxCandidates candidates={query.data?.candidates ?? []} />
      {current !== undefined && <Reconciliation key={`check ${current.name}`} inbox={current} />}
      {current !== undefined && <InboxMessages key={current.name} inbox={current} />}
    </>
  );
}

/** The current outbox's inboxes first; the others follow, because an inbox may serve several outboxes. */
function sortForOutbox(inboxes: readonly InboxSummary[], outbox: string | undefined): InboxSummary[] {
  const rank = (inbox: InboxSummary) => {
    if (outbox !== undefined && inbox.outboxes.includes(outbox)) return 0;
    return inbox.outboxes.length === 0 ? 1 : 2;
  };
  return [...inboxes].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}
