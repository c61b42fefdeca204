"use client";

import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { apiGet, buildPath } from "#components/api/api-client.ts";
import { EmptyPage } from "#components/lists/empty-page.tsx";
import { download } from "#components/lists/export-menu.tsx";
import { Paging } from "#components/lists/paging.tsx";
import tools from "#components/lists/tool.module.css";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { useHeldRows } from "#components/messages/list/use-held-rows.ts";
import { Arrivals } from "#components/messages/table/arrivals.tsx";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { MenuButton } from "#components/ui/controls/menu-button.tsx";
import { Segmented } from "#components/ui/controls/segmented.tsx";
import { TextField } from "#components/ui/controls/text-field.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { SilenceNote } from "#components/ui/notices/silence-note.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { useAddress } from "#components/ui/page/use-address.ts";
import { Instant } from "#components/ui/values/instant.tsx";
import { type InboxSummary, inboxMessageListSchema } from "#contracts/outbox/inboxes.ts";
import css from "./inbox.module.css";
import { inboxMessagesQuery } from "./inbox-queries.ts";
import { InboxTable } from "./inbox-table.tsx";

const STATES = ["all", "unprocessed", "failed", "processed"] as const;
const STATE_OPTIONS = STATES.map((state) => ({ value: state, label: state }));

export function InboxMessages({ inbox }: { inbox: InboxSummary }) {
  const { params, change } = useAddress();
  const asked = STATES.find((known) => known === params.get("state")) ?? "all";
  // Without the choice on the page, a state from a link could not be cleared.
  const state = inbox.tracksProcessing ? asked : "all";
  const q = params.get("q") ?? undefined;
  const cursor = params.get("cursor") ?? undefined;
  const options = inboxMessagesQuery(inbox.name, { state, q, cursor });
  const failure = useFailure(options.queryKey);
  const query = useQuery({ ...options, ...liveOptions(useLive()) });
  const data = query.data;
  const held = useHeldRows(JSON.stringify(options.queryKey), query);
  useShortcuts([{ key: ".", description: "Show new messages", group: "Inbox", run: held.accept }]);
  return (
    <>
      <search className={css.filters}>
        <IdFilter value={q} onApply={(value) => change({ q: value, cursor: undefined })} />
        {inbox.tracksProcessing && (
          <Segmented
            label="Which messages"
            options={STATE_OPTIONS}
            value={state}
            onChange={(value) => change({ state: value === "all" ? undefined : value, cursor: undefined })}
          />
        )}
        <span className={css.asOf}>
          {data !== undefined && (
            <>
              as of <Instant at={data.asOf} /> UTC
            </>
          )}
          <Arrivals page={held} onAccept={held.accept} />
        </span>
        <MenuButton
          className={tools.tool}
          label="Export"
          heading="Export all that match"
          entries={(["csv", "ndjson"] as const).map((format) => ({
            label: format.toUpperCase(),
            onSelect: () =>
              void download(exportPath(inbox.name, { state, q, format }), () => readFirst(inbox.name, { state, q })),
          }))}
          position="bottom-end"
          width={180}
        >
          <IconDownload size={14} aria-hidden />
          <span className="hide-on-phone">Export</span>
        </MenuButton>
      </search>
      {failure !== null && (
        <SilenceNote
          title="The inbox could not be read."
          error={failure}
          asOf={data?.asOf}
          onRetry={() => void query.refetch()}
        />
      )}
      {(data !== undefined || failure === null) && (
        <Panel flush className={failure === null ? undefined : "last-known"}>
          {data !== undefined && held.rows.length === 0 && cursor !== undefined ? (
            <EmptyPage onFirst={() => change({ cursor: undefined })} />
          ) : data !== undefined && held.rows.length === 0 ? (
            <InboxEmpty inbox={inbox.name} filtered={q !== undefined || state !== "all"} />
          ) : (
            <InboxTable inbox={inbox} rows={data && held.rows} asOf={data?.asOf} />
          )}
          <Paging cursor={cursor} nextCursor={data?.nextCursor ?? null} onGo={(next) => change({ cursor: next })} />
        </Panel>
      )}
    </>
  );
}

/** One message of what would be exported. */
function readFirst(inbox: string, filters: { state: string; q: string | undefined }): Promise<unknown> {
  const path = `/api/v1/inboxes/${encodeURIComponent(inbox)}/messages`;
  return apiGet(inboxMessageListSchema, path, { ...filters, limit: 1 });
}

function exportPath(inbox: string, query: { state: string; q: string | undefined; format: string }): string {
  return buildPath(`/api/v1/inboxes/${encodeURIComponent(inbox)}/messages/export`, query);
}

function InboxEmpty({ inbox, filtered }: { inbox: string; filtered: boolean }) {
  if (filtered) return <EmptyState title="Nothing matches these filters." />;
  return <EmptyState title={`${inbox} is empty.`}>Each message that the consumer receives appears here.</EmptyState>;
}

function IdFilter({ value, onApply }: { value: string | undefined; onApply: (value: string | undefined) => void }) {
  const [text, setText] = useState(value ?? "");
  const [applied, setApplied] = useState(value);
  // Follows the address, and keeps the focus.
  if (applied !== value) {
    setApplied(value);
    setText(value ?? "");
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    onApply(text.trim() === "" ? undefined : text.trim());
  }

  return (
    <form onSubmit={submit} className={css.field}>
      <TextField
        type="search"
        placeholder="Exact message id"
        aria-label="Filter by an exact message id"
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
