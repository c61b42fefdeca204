"use client";

import Link from "next/link";
import { useOutbox } from "#components/shell/use-outbox.ts";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { Instant } from "#components/ui/instant.tsx";
import type { RelayList } from "#contracts/relays.ts";
import { subjectOf } from "./pause-subject.ts";
import { RelayControls } from "./relay-controls.tsx";

type Pause = RelayList["pauses"][number];

/** Event types and aggregates that wait while the rest flows: who paused them, why, until when. */
export function PauseTable({ pauses, silent }: { pauses: readonly Pause[]; silent: boolean }) {
  return (
    <DataTable
      caption="Paused event types and aggregates"
      columns={[...COLUMNS, resumeColumn(silent)]}
      rows={pauses}
      rowKey={(pause) => `${pause.outbox} ${pause.scope} ${pause.subject} ${pause.messageId}`}
    />
  );
}

const COLUMNS: readonly Column<Pause>[] = [
  {
    key: "subject",
    header: "Paused",
    cell: (pause) => (
      <span title={pause.subject}>
        <span className="muted">{pause.scope === "event_type" ? "type" : "aggregate"}</span>{" "}
        <span className="mono">{pause.subject}</span>
      </span>
    ),
  },
  { key: "outbox", header: "Outbox", hideOnPhone: true, cell: (pause) => pause.outbox },
  { key: "by", header: "By", hideOnPhone: true, cell: (pause) => pause.by },
  { key: "reason", header: "Why", clip: true, cell: (pause) => <Reason pause={pause} /> },
  { key: "at", header: "Since", hideOnPhone: true, align: "right", cell: (pause) => <Instant at={pause.at} /> },
  {
    key: "until",
    header: "Until",
    align: "right",
    cell: (pause) =>
      pause.until === null ? <span className="muted">someone resumes it</span> : <Instant at={pause.until} />,
  },
];

function Reason({ pause }: { pause: Pause }) {
  const { href } = useOutbox();
  if (pause.messageId === null) return <span title={pause.reason}>{pause.reason}</span>;
  return (
    <Link href={href(`/messages/${encodeURIComponent(pause.messageId)}`)} title={pause.reason}>
      {pause.reason}
    </Link>
  );
}

function resumeColumn(silent: boolean): Column<Pause> {
  return {
    key: "resume",
    header: "",
    align: "right",
    cell: (pause) => (
      <RelayControls outbox={pause.outbox} subject={subjectOf(pause)} paused={pause} silent={silent} label="" />
    ),
  };
}
