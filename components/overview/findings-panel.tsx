"use client";

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { findingsQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { VERDICT_LOOKS } from "#components/ui/badges/verdict-badge.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Finding, FindingList } from "#contracts/watch/findings.ts";
import { formatCount, formatPlural } from "#domain/format.ts";
import css from "./overview.module.css";

const PACE_MS = 10_000;

/** The watchdog's findings, worst first; one muted line when there are none. */
export function FindingsPanel({ outbox }: { outbox: string | undefined }) {
  const { href } = useOutbox();
  const options = findingsQuery(outbox ?? "");
  const error = useFailure(options.queryKey);
  const { data } = useQuery({
    ...options,
    ...liveOptions(useLive(), { atLeastMs: PACE_MS }),
    enabled: outbox !== undefined,
  });
  const findings = data?.findings.filter((finding) => finding.outbox === outbox);
  const columns = findingColumns((finding) => href("/stuck", { finding: finding.id }));
  return (
    <Panel
      title="Stuck"
      flush
      aside={
        data !== undefined && findings && findings.length > 0 ? (
          <>
            {formatPlural(findings.length, "finding")}, as of <Instant at={data.asOf} /> UTC
          </>
        ) : undefined
      }
    >
      {error !== null && data === undefined ? (
        <ErrorNote title="The watchdog's findings could not be read." error={error} />
      ) : findings?.length === 0 ? (
        <EmptyState small title={data === undefined ? undefined : noneWords(data)} />
      ) : (
        <DataTable
          caption="What is stuck"
          columns={columns}
          rows={findings}
          rowKey={(finding) => finding.id}
          skeletonRows={1}
        />
      )}
    </Panel>
  );
}

function noneWords({ checked, unchecked }: FindingList): string {
  const rules = `${formatPlural(checked.length, "rule")} checked`;
  return unchecked.length === 0
    ? `Nothing is stuck: ${rules}.`
    : `Nothing is known to be stuck: ${rules}, ${formatCount(unchecked.length)} not checked.`;
}

const count = (value: number | null, { capped = false, estimated = false } = {}) =>
  value === null ? (
    <span className="muted">–</span>
  ) : (
    `${estimated ? "≈ " : ""}${formatCount(value)}${capped && !estimated ? "+" : ""}`
  );

function findingColumns(hrefOf: (finding: Finding) => string): Column<Finding>[] {
  return [
    {
      key: "finding",
      header: "Finding",
      width: "99%",
      cell: (finding) => (
        <span className={css.finding}>
          <b className={VERDICT_LOOKS[finding.word].tone === "bad" ? "tone-bad" : undefined}>{finding.title}</b>{" "}
          <span>{finding.sentence}</span>
        </span>
      ),
    },
    {
      key: "messages",
      header: "Messages",
      align: "right",
      cell: (finding) =>
        count(finding.messages, { capped: finding.messagesCapped, estimated: finding.messagesEstimated }),
    },
    {
      key: "aggregates",
      header: "Aggregates",
      align: "right",
      hideOnPhone: true,
      cell: (finding) => count(finding.aggregates),
    },
    {
      key: "since",
      header: "Since",
      align: "right",
      hideOnPhone: true,
      cell: (finding) => <Instant at={finding.since} />,
    },
    {
      key: "open",
      header: <span className="visually-hidden">Open</span>,
      align: "right",
      width: "1%",
      cell: (finding) => (
        <Button component={Link} size="xs" href={hrefOf(finding)} aria-label={`Open ${finding.title}`}>
          Open
        </Button>
      ),
    },
  ];
}
