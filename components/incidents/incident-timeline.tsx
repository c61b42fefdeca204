"use client";

import {
  IconActivity,
  IconBell,
  IconFlame,
  IconHandStop,
  IconListCheck,
  IconNote,
  IconPlayerPause,
  IconRocket,
} from "@tabler/icons-react";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { NoteError, NoteForm } from "#components/ui/controls/note-form.tsx";
import { Segmented } from "#components/ui/controls/segmented.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { type IncidentDetail, TIMELINE_KINDS, type TimelineEntry } from "#contracts/watch/incidents.ts";
import { formatCount } from "#domain/format.ts";
import css from "./incidents.module.css";

type Kind = TimelineEntry["kind"];

const LOOKS: Record<Kind, { icon: ReactNode; word: string }> = {
  note: { icon: <IconNote size={15} aria-hidden />, word: "Notes" },
  incident: { icon: <IconFlame size={15} aria-hidden />, word: "Incident" },
  finding: { icon: <IconActivity size={15} aria-hidden />, word: "Findings" },
  deploy: { icon: <IconRocket size={15} aria-hidden />, word: "Deploys" },
  relay: { icon: <IconPlayerPause size={15} aria-hidden />, word: "Pauses" },
  operation: { icon: <IconListCheck size={15} aria-hidden />, word: "Operations" },
  alert: { icon: <IconBell size={15} aria-hidden />, word: "Alerts" },
  group: { icon: <IconHandStop size={15} aria-hidden />, word: "Groups" },
};

interface IncidentTimelineProps {
  incident: IncidentDetail;
  busy: boolean;
  /** Why the last note is not confirmed. */
  error: Error | null;
  /** Undefined if nothing may be written. */
  onNote: ((text: string, done: () => void) => void) | undefined;
}

/** Everything in one line of time, newest first, with a field for what one saw or did. */
export function IncidentTimeline({ incident: { timeline, gaps }, busy, error, onNote }: IncidentTimelineProps) {
  const [kind, setKind] = useState<Kind | "all">("all");
  const shown = kind === "all" ? timeline : timeline.filter((entry) => entry.kind === kind);
  const count = (of: Kind) => timeline.filter((entry) => entry.kind === of).length;
  const kinds = TIMELINE_KINDS.filter((of) => count(of) > 0 || of === kind);
  return (
    <Panel title="Timeline" aside="newest first, UTC">
      {gaps.map((gap) => (
        <ErrorNote key={gap} tone="warn">
          {gap}
        </ErrorNote>
      ))}
      {onNote !== undefined && (
        <NoteForm
          className={css.add}
          placeholder="What did you see or do?"
          group="Incident"
          busy={busy}
          onAdd={onNote}
        />
      )}
      <NoteError error={error} />
      <div className={css.kinds}>
        <Segmented
          label="Entries"
          options={[
            { value: "all", label: `All ${formatCount(timeline.length)}` },
            ...kinds.map((of) => ({ value: of, label: `${LOOKS[of].word} ${formatCount(count(of))}` })),
          ]}
          value={kind}
          onChange={setKind}
        />
      </div>
      {shown.length === 0 ? (
        <EmptyState small title="Nothing so far." />
      ) : (
        <ol className={css.timeline}>
          {shown.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries may have the same instant and text
            <li key={`${entry.at}${entry.text}${index}`}>
              <Entry entry={entry} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { at, kind, tone, outbox, by, text, detail, href } = entry;
  const words = (
    <>
      {outbox !== null && <bdi>{outbox}: </bdi>}
      {text}
    </>
  );
  return (
    <>
      <Instant at={at} />
      {LOOKS[kind].icon}
      <div>
        <p className={css.text} data-tone={tone} data-kind={kind}>
          {href === null ? words : <EntryLink href={href}>{words}</EntryLink>}
        </p>
        {detail !== null && <small>{detail}</small>}
      </div>
      <small>{by !== null && <bdi>{by}</bdi>}</small>
    </>
  );
}

/** Links of deploys lead elsewhere. */
function EntryLink({ href, children }: { href: string; children: ReactNode }) {
  if (href.startsWith("/")) return <Link href={href}>{children}</Link>;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
