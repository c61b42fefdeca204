"use client";

import Link from "next/link";
import { ACTION_WORDS } from "#components/action/action-words.ts";
import { OUTCOME_WORDS, summariseOutcomes } from "#components/action/summarise-outcomes.ts";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { Badge, type BadgeTone } from "#components/ui/badges/badge.tsx";
import { StateBadge } from "#components/ui/badges/state-badge.tsx";
import { shortenId } from "#components/ui/format/shorten-id.ts";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { PageHeader } from "#components/ui/page/page-header.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Operation, OperationOutcome } from "#contracts/message/operations.ts";
import { formatPlural } from "#domain/format.ts";
import { AskedPanel } from "./asked-panel.tsx";
import css from "./operation.module.css";

/** An operation on a few messages, done within one request: an outcome for each. */
export function describeSingle(operation: Operation): string {
  const { action, outcomes } = operation;
  return `${ACTION_WORDS[action].verb} ${formatPlural(outcomes.length, "message")}: ${summariseOutcomes(operation)}`;
}

export function SingleView({ operation }: { operation: Operation }) {
  const { outbox, outcomes, finished } = operation;
  return (
    <>
      <PageHeader
        title={describeSingle(operation)}
        lead={
          <>
            {outbox}. <bdi>{operation.actor}</bdi>, <Instant at={operation.at} />: {operation.reason}
            {!finished && " Outcomes in doubt are being looked up."}
          </>
        }
      />
      <div className={css.split}>
        <Panel flush title="Messages">
          <DataTable caption="Messages" columns={columnsOf(outbox)} rows={outcomes} rowKey={(outcome) => outcome.id} />
        </Panel>
        <div className={css.aside}>
          <AskedPanel operation={operation} bulk={null} />
        </div>
      </div>
    </>
  );
}

const TONES: Record<OperationOutcome["outcome"], BadgeTone> = {
  done: "ok",
  skipped: "neutral",
  failed: "bad",
  unknown: "warn",
};

function columnsOf(outbox: string): Column<OperationOutcome>[] {
  return [
    {
      key: "outcome",
      header: "Outcome",
      width: "1%",
      cell: ({ outcome }) => <Badge tone={TONES[outcome]}>{OUTCOME_WORDS[outcome]}</Badge>,
    },
    {
      key: "message",
      header: "Message",
      cell: ({ id, message }) => (
        <>
          <Link
            className={`${css.message} mono`}
            prefetch={false}
            href={outboxHref(`/messages/${encodeURIComponent(id)}`, outbox)}
            title={id}
          >
            {shortenId(id, 13, 6)}
          </Link>
          <span className={css.phone}>{message}</span>
        </>
      ),
    },
    {
      key: "state",
      header: "State after",
      cell: ({ stateAfter }) =>
        stateAfter === null ? <span className="muted">–</span> : <StateBadge state={stateAfter} />,
    },
    {
      key: "why",
      header: "Why",
      width: "60%",
      clip: true,
      hideOnPhone: true,
      cell: ({ message }) =>
        message === "" ? <span className="muted">–</span> : <span title={message}>{message}</span>,
    },
  ];
}
