"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { incidentsQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { Badge } from "#components/ui/badges/badge.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { SilenceNote } from "#components/ui/notices/silence-note.tsx";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { PageHeader } from "#components/ui/page/page-header.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Incident } from "#contracts/watch/incidents.ts";
import css from "./incidents.module.css";
import { OpenFor } from "./open-for.tsx";
import { OpenIncident } from "./open-incident.tsx";

const NEW = { title: "", outboxes: [], group: null, since: null };

/** The newest incidents; open ones are marked. */
export function IncidentsPage() {
  const options = incidentsQuery("all");
  const failure = useFailure(options.queryKey);
  const query = useQuery({ ...options, ...liveOptions(useLive(), { atLeastMs: 5_000 }) });
  const { data } = query;
  return (
    <>
      <PageHeader
        title="Incidents"
        lead="One page for everyone: who leads, what happened and when, and how it ended."
        actions={<OpenIncident start={NEW} another />}
      />
      {failure !== null && (
        <SilenceNote
          title="The incidents could not be read."
          error={failure}
          asOf={data?.asOf}
          onRetry={() => void query.refetch()}
        />
      )}
      {(data !== undefined || failure === null) && (
        <Panel flush className={failure === null ? undefined : "last-known"}>
          {data?.incidents.length === 0 ? (
            <EmptyState title="No incident has been opened.">
              {data.problem ??
                "Open one here, in the banner of the overview or on a failure group. It has one timeline of findings, deploys, operations, pauses, alerts and notes."}
            </EmptyState>
          ) : (
            <DataTable caption="Incidents" columns={COLUMNS} rows={data?.incidents} rowKey={({ id }) => String(id)} />
          )}
        </Panel>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Incident>[] = [
  { key: "id", header: "Incident", width: "80px", hideOnPhone: true, cell: ({ id }) => id },
  { key: "title", header: "Title", clip: true, width: "99%", cell: (incident) => <Title incident={incident} /> },
  {
    key: "state",
    header: "State",
    width: "100px",
    cell: ({ ended }) => (ended === null ? <Badge tone="bad">open</Badge> : <span className="muted">ended</span>),
  },
  { key: "since", header: "Since", width: "150px", hideOnPhone: true, cell: ({ since }) => <Instant at={since} /> },
  {
    key: "for",
    header: "Lasts",
    width: "130px",
    hideOnPhone: true,
    cell: (incident) => <OpenFor incident={incident} />,
  },
  {
    key: "lead",
    header: "Lead",
    width: "180px",
    hideOnPhone: true,
    cell: ({ lead }) => (lead === null ? <span className="muted">nobody</span> : <bdi>{lead.name}</bdi>),
  },
];

function Title({ incident: { id, title, ended } }: { incident: Incident }) {
  const { href } = useOutbox();
  return (
    <>
      <Link className={css.title} href={href(`/incidents/${id}`)}>
        {title}
      </Link>
      {ended !== null && <span className={css.outcome}>{ended.outcome}</span>}
    </>
  );
}
