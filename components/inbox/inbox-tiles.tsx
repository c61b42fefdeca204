import type { ReactNode } from "react";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { Age } from "#components/ui/values/age.tsx";
import { Figure } from "#components/ui/values/figure.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { InboxSummary } from "#contracts/outbox/inboxes.ts";
import { formatRate } from "#domain/format.ts";
import css from "./inbox.module.css";

interface InboxTilesProps {
  inbox: InboxSummary;
  current: boolean;
  onChoose: () => void;
}

/** One inbox with its figures; selecting it shows its messages below. */
export function InboxTiles({ inbox, current, onChoose }: InboxTilesProps) {
  return (
    <section className={css.inbox} data-current={current || undefined} aria-label={`Inbox ${inbox.name}`}>
      <button type="button" className={css.head} aria-pressed={current} onClick={onChoose}>
        <b>{inbox.name}</b>
        <span className="mono muted">{inbox.table}</span>
        <span className={css.shape}>
          {inbox.shape}
          {inbox.outboxes.length > 0 && `, from ${inbox.outboxes.join(", ")}`}
        </span>
      </button>
      {inbox.problem !== null && <ErrorNote tone="warn">{inbox.problem}</ErrorNote>}
      {inbox.question !== null && <p className={css.question}>{inbox.question}</p>}
      {inbox.figures !== null && <Tiles inbox={inbox} figures={inbox.figures} />}
    </section>
  );
}

function Tiles({ inbox, figures }: { inbox: InboxSummary; figures: NonNullable<InboxSummary["figures"]> }) {
  const untracked = <span className="muted">not tracked</span>;
  return (
    <dl className={css.tiles}>
      <Tile label="Total">
        <Figure {...figures.total} />
      </Tile>
      <Tile label="Unprocessed">{inbox.tracksProcessing ? <Figure {...figures.unprocessed} /> : untracked}</Tile>
      <Tile label="Oldest unprocessed">
        {inbox.tracksProcessing ? <Age seconds={figures.oldestUnprocessedSeconds} /> : untracked}
      </Tile>
      {figures.failed.value > 0 && (
        <Tile label="Failed">
          <Figure {...figures.failed} />
        </Tile>
      )}
      <Tile label="Last processed">
        {inbox.paceOf === "received" ? untracked : <Instant at={figures.lastProcessedAt} />}
      </Tile>
      <Tile label={inbox.paceOf === "received" ? "Received per minute" : "Processed per minute"}>
        {figures.perMinute === null ? <span className="muted">–</span> : formatRate(figures.perMinute)}
      </Tile>
    </dl>
  );
}

function Tile({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
