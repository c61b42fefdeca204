"use client";

import { SegmentedControl, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { Paging } from "#components/messages/paging.tsx";
import { useAddress } from "#components/messages/use-address.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNote } from "#components/ui/error-note.tsx";
import { formatUtcTime } from "#components/ui/format-instant.ts";
import { Panel } from "#components/ui/panel.tsx";
import type { InboxSummary } from "#contracts/inboxes.ts";
import css from "./inbox.module.css";
import { inboxMessagesQuery } from "./inbox-queries.ts";
import { InboxTable } from "./inbox-table.tsx";

const STATES = ["all", "unprocessed", "processed"] as const;

export function InboxMessages({ inbox }: { inbox: InboxSummary }) {
  const { params, change } = useAddress();
  const state = STATES.find((known) => known === params.get("state")) ?? "all";
  const q = params.get("q") ?? undefined;
  const cursor = params.get("cursor") ?? undefined;
  const query = useQuery({ ...inboxMessagesQuery(inbox.name, { state, q, cursor }), ...liveOptions(useLive()) });
  const data = query.data;
  return (
    <>
      <search className={css.filters}>
        <IdFilter value={q} onApply={(value) => change({ q: value, cursor: undefined })} />
        {inbox.tracksProcessing && (
          <SegmentedControl
            bg="var(--line2)"
            aria-label="Which messages"
            data={[...STATES]}
            value={state}
            onChange={(value) => change({ state: value === "all" ? undefined : value, cursor: undefined })}
          />
        )}
        <span className={css.asOf}>{data === undefined ? "" : `as of ${formatUtcTime(data.asOf)}`}</span>
      </search>
      {query.error !== null && (
        <ErrorNote title="The inbox could not be read." error={query.error} onRetry={() => void query.refetch()} />
      )}
      {(data !== undefined || query.error === null) && (
        <Panel flush>
          {data?.messages.length === 0 ? (
            <InboxEmpty inbox={inbox.name} filtered={q !== undefined || state !== "all"} />
          ) : (
            <InboxTable inbox={inbox} messages={data?.messages} asOf={data?.asOf} />
          )}
          <Paging cursor={cursor} nextCursor={data?.nextCursor ?? null} onGo={(next) => change({ cursor: next })} />
        </Panel>
      )}
    </>
  );
}

function InboxEmpty({ inbox, filtered }: { inbox: string; filtered: boolean }) {
  if (filtered) return <EmptyState title="Nothing here matches." />;
  return (
    <EmptyState title={`${inbox} is empty.`}>
      Each message that its consumer receives would be here, with the time at which it was processed.
    </EmptyState>
  );
}

function IdFilter({ value, onApply }: { value: string | undefined; onApply: (value: string | undefined) => void }) {
  const [text, setText] = useState(value ?? "");

  function submit(event: FormEvent) {
    event.preventDefault();
    onApply(text.trim() === "" ? undefined : text.trim());
  }

  return (
    <form onSubmit={submit} className={css.field}>
      <TextInput
        size="xs"
        type="search"
        placeholder="Message id, exactly"
        aria-label="Filter by a message id, exactly"
        data-filter
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          if (event.currentTarget.value === "" && value !== undefined) onApply(undefined);
        }}
      />
    </form>
  );
}
