"use client";

import Link from "next/link";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { Badge } from "#components/ui/badges/badge.tsx";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Operation } from "#contracts/message/operations.ts";
import { operationOutcome, operationState, operationTitle } from "./operation-words.ts";
import css from "./operations.module.css";

interface OperationsTableProps {
  operations: readonly Operation[] | undefined;
  /** With the outbox of each. */
  several: boolean;
}

/** Newest first: when, who, what, which messages, and what came of it. */
export function OperationsTable({ operations, several }: OperationsTableProps) {
  return (
    <DataTable
      caption="Operations"
      columns={several ? [WHEN, OUTBOX, ...COLUMNS] : [WHEN, ...COLUMNS]}
      rows={operations}
      rowKey={(operation) => operation.id}
      skeletonRows={8}
    />
  );
}

const WHEN: Column<Operation> = {
  key: "at",
  header: "When",
  width: "104px",
  cell: (operation) => <Instant at={operation.at} />,
};

const OUTBOX: Column<Operation> = {
  key: "outbox",
  header: "Outbox",
  hideOnPhone: true,
  cell: (operation) => <bdi>{operation.outbox}</bdi>,
};

const COLUMNS: readonly Column<Operation>[] = [
  {
    key: "actor",
    header: "Who",
    hideOnPhone: true,
    cell: (operation) => (
      <span className={css.actor} title={operation.actor}>
        <bdi>{operation.actor}</bdi>
      </span>
    ),
  },
  { key: "what", header: "What", cell: (operation) => <What operation={operation} /> },
  {
    key: "selection",
    header: "Messages",
    clip: true,
    width: "24%",
    hideOnPhone: true,
    cell: (operation) => <Clipped text={operation.bulk?.selection ?? "selected by hand"} />,
  },
  {
    key: "outcome",
    header: "Outcome",
    width: "24%",
    hideOnPhone: true,
    cell: (operation) => <Outcome operation={operation} />,
  },
  {
    key: "reason",
    header: "Reason",
    clip: true,
    width: "26%",
    hideOnPhone: true,
    cell: (operation) => <Clipped text={operation.reason} />,
  },
];

function Clipped({ text }: { text: string }) {
  return <span title={text}>{text}</span>;
}

/** On a phone one cell contains everything. */
function What({ operation }: { operation: Operation }) {
  return (
    <>
      <Link
        className={css.what}
        prefetch={false}
        href={outboxHref(`/operations/${encodeURIComponent(operation.id)}`, operation.outbox)}
      >
        {operationTitle(operation)}
        {operation.dryRun && <span className="muted"> dry run</span>}
      </Link>
      <span className={css.phone}>
        <Outcome operation={operation} />
        <span className="muted three-lines" title={operation.reason}>
          by <bdi>{operation.actor}</bdi>: {operation.reason}
        </span>
      </span>
    </>
  );
}

function Outcome({ operation }: { operation: Operation }) {
  const state = operationState(operation);
  if (state !== undefined) return <Badge tone={state.tone}>{state.text}</Badge>;
  return <span className={css.outcome}>{operationOutcome(operation)}</span>;
}
