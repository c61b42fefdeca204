"use client";

import Link from "next/link";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { RelayList } from "#contracts/outbox/relays.ts";
import { subjectOf } from "./pause-subject.ts";
import { RelayControls } from "./relay-controls.tsx";
import css from "./relays.module.css";

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
  { key: "subject", header: "Paused", width: "70%", cell: (pause) => <What pause={pause} /> },
  { key: "outbox", header: "Outbox", hideOnPhone: true, cell: (pause) => pause.outbox },
  {
    key: "until",
    header: "Until",
    align: "right",
    cell: (pause) =>
      pause.until === null ? <span className="muted">until resumed</span> : <Instant at={pause.until} />,
  },
];

function What({ pause }: { pause: Pause }) {
  const { href } = useOutbox();
  const { messageId, reason } = pause;
  return (
    <div className={css.paused}>
      <span className="muted">{pause.scope === "event_type" ? "type" : "aggregate"}</span>{" "}
      <span className="mono">{pause.subject}</span>
      <p className="muted">
        by {pause.by} since <Instant at={pause.at} />:{" "}
        {messageId === null ? (
          reason
        ) : (
          <Link href={href(`/messages/${encodeURIComponent(messageId)}`, { outbox: pause.outbox })}>{reason}</Link>
        )}
      </p>
    </div>
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
