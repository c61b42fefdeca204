"use client";

import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { Paging } from "#components/messages/paging.tsx";
import { useAddress } from "#components/messages/use-address.ts";
import { NoOutbox } from "#components/shell/no-outbox.tsx";
import { useOutbox } from "#components/shell/use-outbox.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Panel } from "#components/ui/panel.tsx";
import { SilenceNote } from "#components/ui/silence-note.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { MESSAGE_ACTIONS } from "#domain/message-state.ts";
import css from "./audit.module.css";
import { AUDIT_FILTERS, type AuditAddress, auditQuery } from "./audit-query.ts";
import { AuditTable } from "./audit-table.tsx";

const SLOW_MS = 15_000;
const ACTIONS = [
  ...MESSAGE_ACTIONS.map((action) => `message.${action}`),
  "relay.pause",
  "relay.resume",
  "outbox.forget",
  "inbox.forget",
  "token.make",
  "token.revoke",
  "request.denied",
];

export function AuditPage() {
  const { name, isPending } = useOutbox();
  const { params, change } = useAddress();
  const live = useLive();
  const filters = Object.fromEntries(AUDIT_FILTERS.map((field) => [field, params.get(field) ?? undefined]));
  const cursor = params.get("cursor") ?? undefined;
  const filtered = Object.values(filters).some((value) => value !== undefined);
  const options = auditQuery({ outbox: name ?? "", filters, cursor });
  const failure = useFailure(options.queryKey);
  const query = useQuery({
    ...options,
    ...liveOptions(live, { atLeastMs: SLOW_MS }),
    enabled: name !== undefined,
  });
  const set = (values: Record<string, string | undefined>) => change({ ...values, cursor: undefined });
  return (
    <>
      <PageHeader
        title="Audit"
        lead="Who did what to which message, when and why. Each entry commits in the same transaction as its action."
      />
      <AuditFilters filters={filters} onChange={set} />
      {failure !== null && (
        <div className={css.error}>
          <SilenceNote
            title="The audit could not be read."
            error={failure}
            asOf={query.data?.asOf}
            receivedMs={query.dataUpdatedAt}
            onRetry={() => void query.refetch()}
          />
        </div>
      )}
      <Panel flush className={failure === null ? undefined : "last-known"}>
        {name === undefined && !isPending ? (
          <NoOutbox />
        ) : query.data?.entries.length === 0 ? (
          <AuditEmpty filtered={filtered} />
        ) : (
          (query.data !== undefined || failure === null) && <AuditTable entries={query.data?.entries} />
        )}
        <Paging cursor={cursor} nextCursor={query.data?.nextCursor ?? null} onGo={(next) => change({ cursor: next })} />
      </Panel>
    </>
  );
}

function AuditEmpty({ filtered }: { filtered: boolean }) {
  if (filtered) return <EmptyState title="Nothing matches these filters." />;
  return (
    <EmptyState title="Nobody has acted yet.">
      Every retry, dead-letter, archive, restore, pause and resume appears here, with its reason and outcome.
    </EmptyState>
  );
}

interface AuditFiltersProps {
  filters: AuditAddress["filters"];
  onChange: (values: Record<string, string | undefined>) => void;
}

function AuditFilters({ filters, onChange }: AuditFiltersProps) {
  const known =
    filters.action === undefined || ACTIONS.includes(filters.action) ? ACTIONS : [...ACTIONS, filters.action];
  const any = Object.values(filters).some((value) => value !== undefined);
  return (
    <search className={css.filters}>
      <TextFilter
        label="Message id"
        value={filters.messageId}
        first
        onApply={(value) => onChange({ messageId: value })}
      />
      <TextFilter label="Who" value={filters.actor} onApply={(value) => onChange({ actor: value })} />
      <NativeSelect
        aria-label="Action"
        size="xs"
        data={[{ value: "", label: "Any action" }, ...known]}
        value={filters.action ?? ""}
        onChange={(event) => onChange({ action: event.currentTarget.value || undefined })}
      />
      {any && (
        <Button size="xs" onClick={() => onChange({ messageId: undefined, actor: undefined, action: undefined })}>
          Clear
        </Button>
      )}
    </search>
  );
}

interface TextFilterProps {
  label: string;
  value: string | undefined;
  first?: boolean;
  onApply: (value: string | undefined) => void;
}

function TextFilter({ label, value, first = false, onApply }: TextFilterProps) {
  const [text, setText] = useState(value ?? "");
  useEffect(() => setText(value ?? ""), [value]);

  function apply(event?: FormEvent) {
    event?.preventDefault();
    const next = text.trim();
    if (next !== (value ?? "")) onApply(next === "" ? undefined : next);
  }

  return (
    <form onSubmit={apply}>
      <TextField
        aria-label={label}
        placeholder={label}
        data-filter={first || undefined}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => apply()}
      />
    </form>
  );
}
