"use client";

import Link from "next/link";
import { toneOfOldest } from "#components/fleet/row-tones.ts";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { VerdictBadge } from "#components/ui/badges/verdict-badge.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Age } from "#components/ui/values/age.tsx";
import { Figure } from "#components/ui/values/figure.tsx";
import type { OutboxList, OutboxSummary } from "#contracts/outbox/outboxes.ts";
import { formatRate } from "#domain/format.ts";
import css from "./overview.module.css";

const MODE_WORDS: Record<OutboxSummary["mode"], string> = {
  observe: "observe only",
  operate: "actions on",
  relay: "our relay",
};

/** Every outbox at one glance; the name leads to its overview. */
export function OutboxesPanel({ list }: { list: OutboxList | undefined }) {
  return (
    <Panel title="Outboxes" flush>
      {list?.problems.map((problem) => (
        <ErrorNote key={`${problem.store}: ${problem.message}`} tone="warn" title={`${problem.store}:`}>
          {problem.message}
        </ErrorNote>
      ))}
      <DataTable
        caption="All outboxes"
        columns={COLUMNS}
        rows={list?.outboxes}
        rowKey={(row) => row.name}
        skeletonRows={3}
      />
    </Panel>
  );
}

const dash = <span className="muted">–</span>;
/** As the tile of the same figures is toned: by the limits of the age. */
function alarm(row: OutboxSummary): string | undefined {
  const tone = toneOfOldest(row);
  return tone && `tone-${tone}`;
}

const rate = (value: number | null) => (value === null ? "–" : formatRate(value));

const COLUMNS: Column<OutboxSummary>[] = [
  {
    key: "name",
    header: "Outbox",
    cell: (row) => (
      <Link className={css.rowLink} href={outboxHref("/", row.name)}>
        <b>{row.name}</b>
      </Link>
    ),
  },
  {
    key: "table",
    header: "Table",
    hideOnPhone: true,
    cell: (row) => (
      <span className={`muted ${css.rowTable}`}>
        <span className="mono">{row.table}</span> · {row.shape} · {MODE_WORDS[row.mode]}
      </span>
    ),
  },
  {
    key: "state",
    header: "State",
    cell: (row) => (
      <span title={row.verdict.cause ?? undefined}>
        <VerdictBadge word={row.verdict.word} />
      </span>
    ),
  },
  {
    key: "pending",
    header: "Pending",
    align: "right",
    cell: (row) => (row.figures ? <span className={alarm(row)}>{<Figure {...row.figures.pending} />}</span> : dash),
  },
  {
    key: "oldest",
    header: "Oldest",
    align: "right",
    cell: (row) => (
      <span className={alarm(row)}>
        <Age seconds={row.figures?.oldestPendingSeconds} />
      </span>
    ),
  },
  {
    key: "rates",
    header: "In / out",
    align: "right",
    hideOnPhone: true,
    cell: (row) => (row.figures ? `${rate(row.figures.inPerSecond)} / ${rate(row.figures.outPerSecond)}` : dash),
  },
  {
    key: "dead",
    header: "Dead",
    align: "right",
    hideOnPhone: true,
    cell: (row) => (row.figures ? <Figure {...row.figures.dead} /> : dash),
  },
];
