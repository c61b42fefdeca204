"use client";

import { useQuery } from "@tanstack/react-query";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { readBefore } from "#components/live/read-before.ts";
import { useFailure } from "#components/live/use-failure.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { PageHeader } from "#components/ui/page/page-header.tsx";
import { useAddress } from "#components/ui/page/use-address.ts";
import type { InboxList } from "#contracts/outbox/inboxes.ts";
import type { Reconciliation as ReconciliationOfInbox } from "#contracts/outbox/reconciliation.ts";
import { chooseInbox } from "./choose-inbox.ts";
import css from "./inbox.module.css";
import { InboxCandidates } from "./inbox-candidates.tsx";
import { InboxMessages } from "./inbox-messages.tsx";
import { inboxesQuery } from "./inbox-queries.ts";
import { InboxTiles } from "./inbox-tiles.tsx";
import { type FirstCheck, ReconciliationSection } from "./reconciliation/reconciliation-section.tsx";

const PACE_MS = 5_000;

/** What was read while the page was rendered. */
export interface FirstInboxes {
  list: InboxList;
  /** Of the inbox that the page shows; undefined if it is not checked. */
  check: ReconciliationOfInbox | undefined;
}

export function InboxPage({ first }: { first?: FirstInboxes | undefined }) {
  const { name } = useOutbox();
  const { params, change } = useAddress();
  const failure = useFailure(inboxesQuery().queryKey);
  const query = useQuery({
    ...inboxesQuery(),
    ...liveOptions(useLive(), { atLeastMs: PACE_MS }),
    ...(first !== undefined && readBefore(first.list, first.list.asOf)),
  });
  const { sorted: inboxes, current } = chooseInbox(query.data?.inboxes ?? [], {
    outbox: name,
    asked: params.get("inbox") ?? undefined,
  });
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
            onChoose={() => change({ inbox: inbox.name, state: undefined, q: undefined, cursor: undefined })}
          />
        ))}
      </div>
      <InboxCandidates candidates={query.data?.candidates ?? []} />
      {current !== undefined && (
        <ReconciliationSection key={`check ${current.name}`} inbox={current} first={firstCheck(first, current.name)} />
      )}
      {current !== undefined && <InboxMessages key={current.name} inbox={current} />}
    </>
  );
}

function firstCheck(first: FirstInboxes | undefined, inbox: string): FirstCheck | undefined {
  if (first?.check?.inbox !== inbox) return undefined;
  return { check: first.check, asOf: first.list.asOf };
}
