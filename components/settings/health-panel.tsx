"use client";

import { IconAlertTriangle, IconCheck, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { healthQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { Badge, type BadgeTone } from "#components/ui/badges/badge.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Health, HealthCheck } from "#contracts/watch/health.ts";
import { formatObserved, formatThreshold } from "./format-check.ts";
import { ProbeConfig } from "./probe-config.tsx";
import css from "./settings.module.css";

const PACE_MS = 10_000;
const TONES: Record<Health["status"], BadgeTone> = { pass: "ok", warn: "warn", fail: "bad" };
const ICONS = { pass: IconCheck, warn: IconAlertTriangle, fail: IconX };

interface CheckRow extends HealthCheck {
  name: string;
}

/** The document that alerting reads, shown unchanged. */
export function HealthPanel({ outbox }: { outbox: string | undefined }) {
  const error = useFailure(healthQuery().queryKey);
  const { data } = useQuery({ ...healthQuery(), ...liveOptions(useLive(), { atLeastMs: PACE_MS }) });
  const rows =
    data && Object.entries(data.checks ?? {}).flatMap(([name, checks]) => checks.map((check) => ({ ...check, name })));
  return (
    <Panel title="Health, as alerting sees it" aside={data && <HealthBadge status={data.status} />} flush>
      <div className={css.flush}>
        {error !== null && data === undefined && (
          <ErrorNote title="The health document could not be read." error={error} />
        )}
        {data?.output !== undefined && <p className={css.text}>{data.output}</p>}
      </div>
      {(rows !== undefined || error === null) && (
        <DataTable
          caption="Health checks"
          columns={COLUMNS}
          rows={rows}
          rowKey={(row) => row.name + (row.output ?? "")}
          skeletonRows={4}
        />
      )}
      <div className={css.flush}>
        <ProbeConfig outbox={outbox} />
      </div>
    </Panel>
  );
}

function HealthBadge({ status }: { status: Health["status"] }) {
  const Icon = ICONS[status];
  return (
    <Badge tone={TONES[status]} icon={<Icon size={12} stroke={2.2} aria-hidden />}>
      {status}
    </Badge>
  );
}

/** "limits: warn 1 m, fail 5 m" below the name, where a phone has no room for the column. */
function limitsOf(row: CheckRow): string | undefined {
  const limits = formatThreshold(row);
  return limits === "–" ? undefined : `limits: ${limits}`;
}

const COLUMNS: Column<CheckRow>[] = [
  {
    key: "name",
    header: "Check",
    cell: (row) => (
      <>
        <span className={`mono ${css.checkName}`}>{row.name}</span>
        <span className={css.onPhone}>{limitsOf(row)}</span>
        <span className={css.onPhone}>{row.output ?? row.hint}</span>
      </>
    ),
  },
  { key: "status", header: "Status", cell: (row) => <HealthBadge status={row.status} /> },
  { key: "value", header: "Observed", align: "right", cell: (row) => formatObserved(row) },
  { key: "limit", header: "Limits", align: "right", hideOnPhone: true, cell: (row) => formatThreshold(row) },
  { key: "since", header: "Since", align: "right", hideOnPhone: true, cell: (row) => <Instant at={row.since} /> },
  {
    key: "output",
    header: "Details",
    hideOnPhone: true,
    cell: (row) => <span className={css.details}>{row.output ?? row.hint ?? ""}</span>,
  },
];
