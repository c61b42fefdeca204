"use client";

import Link from "next/link";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { Badge, type BadgeTone } from "#components/ui/badges/badge.tsx";
import { STATE_LOOKS } from "#components/ui/badges/state-badge.tsx";
import { shortenId } from "#components/ui/format/shorten-id.ts";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { AuditEntry } from "#contracts/message/messages.ts";
import css from "./audit.module.css";

interface AuditTableProps {
  entries: readonly AuditEntry[] | undefined;
  /** On a message's page: no message column, the reason under the action. */
  compact?: boolean;
}

/** Newest first: when, who, what, to which message, how it went and why. */
export function AuditTable({ entries, compact = false }: AuditTableProps) {
  return (
    <DataTable
      caption="Audit"
      columns={compact ? COMPACT : FULL}
      rows={entries}
      rowKey={(entry) => entry.id}
      skeletonRows={10}
    />
  );
}

const at: Column<AuditEntry> = {
  key: "at",
  header: "When",
  width: "104px",
  cell: (entry) => <Instant at={entry.at} />,
};
const action: Column<AuditEntry> = { key: "action", header: "Action", cell: (entry) => <Action entry={entry} /> };
const outcome: Column<AuditEntry> = {
  key: "outcome",
  header: "Outcome",
  cell: (entry) => <Outcome outcome={entry.outcome} />,
};

const FULL: readonly Column<AuditEntry>[] = [
  at,
  {
    key: "actor",
    header: "Who",
    hideOnPhone: true,
    cell: (entry) => (
      <span className={css.actor} title={`${entry.actor} · ${entry.role}`}>
        <bdi>{entry.actor}</bdi> <span className="muted">{entry.role}</span>
      </span>
    ),
  },
  action,
  { key: "message", header: "Subject", hideOnPhone: true, cell: (entry) => <MessageLink entry={entry} /> },
  outcome,
  { key: "change", header: "State", hideOnPhone: true, cell: (entry) => <Change entry={entry} /> },
  {
    key: "reason",
    header: "Reason",
    clip: true,
    width: "40%",
    hideOnPhone: true,
    cell: (entry) => <Reason entry={entry} />,
  },
];

const COMPACT: readonly Column<AuditEntry>[] = [
  at,
  {
    key: "what",
    header: "What",
    cell: (entry) => (
      <span className={css.what}>
        <span>
          <b className={css.action}>{entry.action}</b> by <bdi>{entry.actor}</bdi>{" "}
          <span className="muted">{entry.role}</span>
        </span>
        {entry.reason !== null && (
          <span className="muted three-lines" title={entry.reason}>
            {entry.reason}
          </span>
        )}
      </span>
    ),
  },
  { ...outcome, align: "right" },
];

/** On a phone one cell contains everything. */
function Action({ entry }: { entry: AuditEntry }) {
  return (
    <>
      <b className={css.action}>{entry.action}</b>
      <span className={css.phone}>
        <span>
          by <bdi>{entry.actor}</bdi> <span className="muted">{entry.role}</span>
        </span>
        <MessageLink entry={entry} />
        {entry.reason !== null && (
          <span className="muted three-lines" title={entry.reason}>
            {entry.reason}
          </span>
        )}
      </span>
    </>
  );
}

const OUTCOME_TONES: Record<string, BadgeTone> = {
  done: "neutral",
  begun: "neutral",
  skipped: "warn",
  cut: "warn",
  failed: "bad",
  denied: "bad",
  refused: "warn",
};

function Outcome({ outcome: word }: { outcome: string }) {
  return <Badge tone={OUTCOME_TONES[word] ?? "neutral"}>{word}</Badge>;
}

function Change({ entry }: { entry: AuditEntry }) {
  if (entry.stateBefore === null && entry.stateAfter === null) return <span className="muted">–</span>;
  const before = entry.stateBefore === null ? "?" : STATE_LOOKS[entry.stateBefore].word;
  const after = entry.stateAfter === null ? "?" : STATE_LOOKS[entry.stateAfter].word;
  return before === after ? <span>{before}</span> : <span>{`${before} → ${after}`}</span>;
}

function Reason({ entry }: { entry: AuditEntry }) {
  const text = [entry.reason, entry.detail].filter((part) => part !== null).join(" · ");
  return text === "" ? <span className="muted">–</span> : <span title={text}>{text}</span>;
}

function MessageLink({ entry: { messageId, inbox, outbox } }: { entry: AuditEntry }) {
  const { href, list } = useOutbox();
  if (messageId === null) return <span className="muted">{inbox ?? outbox ?? "–"}</span>;
  const path = `/messages/${encodeURIComponent(messageId)}`;
  const several = (list?.outboxes.length ?? 0) > 1;
  return (
    <span className={css.message}>
      <Link
        className="link mono"
        title={messageId}
        prefetch={false}
        href={outbox === null ? href(path) : outboxHref(path, outbox)}
      >
        {shortenId(messageId, 8, 6)}
      </Link>
      {several && outbox !== null && <span className="muted">{outbox}</span>}
    </span>
  );
}
