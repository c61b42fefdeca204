"use client";

import { IconDownload } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { EmptyPage } from "#components/lists/empty-page.tsx";
import { download } from "#components/lists/export-menu.tsx";
import { Paging } from "#components/lists/paging.tsx";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { MenuButton } from "#components/ui/controls/menu-button.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { MissingNotes } from "#components/ui/notices/missing-notes.tsx";
import { SilenceNote } from "#components/ui/notices/silence-note.tsx";
import { PageHeader } from "#components/ui/page/page-header.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { useAddress } from "#components/ui/page/use-address.ts";
import css from "./audit.module.css";
import { AuditFilterBar } from "./audit-filters.tsx";
import { AUDIT_FILTERS, type AuditFilters, auditExportPath, auditQuery } from "./audit-query.ts";
import { AuditTable } from "./audit-table.tsx";

const SLOW_MS = 15_000;

export function AuditPage() {
  const { params, change } = useAddress();
  const live = useLive();
  const filters = Object.fromEntries(AUDIT_FILTERS.map((field) => [field, params.get(field) ?? undefined]));
  const cursor = params.get("cursor") ?? undefined;
  const filtered = Object.values(filters).some((value) => value !== undefined);
  const options = auditQuery({ filters, cursor });
  const failure = useFailure(options.queryKey);
  const query = useQuery({ ...options, ...liveOptions(live, { atLeastMs: SLOW_MS }) });
  const { entries, missing = [], nextCursor = null } = query.data ?? {};
  return (
    <>
      <PageHeader
        title="Audit"
        lead="Who did what, when and why, and what was denied. An action on a message commits together with its entry."
        actions={<ExportMenu filters={filters} />}
      />
      <AuditFilterBar filters={filters} onChange={(values) => change({ ...values, cursor: undefined })} />
      {failure !== null && (
        <div className={css.error}>
          <SilenceNote
            title="The audit could not be read."
            error={failure}
            asOf={query.data?.asOf}
            onRetry={() => void query.refetch()}
          />
        </div>
      )}
      <MissingNotes sentences={missing} />
      <Panel flush className={failure === null ? undefined : "last-known"}>
        {entries?.length === 0 && cursor !== undefined && missing.length === 0 ? (
          <EmptyPage onFirst={() => change({ cursor: undefined })} />
        ) : entries?.length === 0 ? (
          <AuditEmpty filtered={filtered} missing={missing.length > 0} />
        ) : (
          (entries !== undefined || failure === null) && <AuditTable entries={entries} />
        )}
        <Paging cursor={cursor} nextCursor={nextCursor} onGo={(next) => change({ cursor: next })} />
      </Panel>
    </>
  );
}

function AuditEmpty({ filtered, missing }: { filtered: boolean; missing: boolean }) {
  if (missing) return <EmptyState title="No entry in what could be read." />;
  if (filtered) return <EmptyState title="Nothing matches these filters." />;
  return <EmptyState title="Nobody has acted yet.">Every action appears here, with its reason and outcome.</EmptyState>;
}

/** Downloads every entry that matches, of all pages. */
function ExportMenu({ filters }: { filters: AuditFilters }) {
  const client = useQueryClient();
  const exportAs = (format: "csv" | "ndjson") =>
    void download(auditExportPath(filters, format), () =>
      client.fetchQuery(auditQuery({ filters, cursor: undefined })),
    );
  const entries = [
    { label: "CSV", onSelect: () => exportAs("csv") },
    { label: "NDJSON, Elastic Common Schema", onSelect: () => exportAs("ndjson") },
  ];
  return (
    <MenuButton
      className={css.tool}
      label="Export"
      heading="Export all entries that match"
      entries={entries}
      position="bottom-end"
      width={260}
    >
      <IconDownload size={14} aria-hidden />
      <span>Export</span>
    </MenuButton>
  );
}
