"use client";

import { useQuery } from "@tanstack/react-query";
import { storageQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { NoOutbox } from "#components/outbox/no-outbox.tsx";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { SilenceNote } from "#components/ui/notices/silence-note.tsx";
import { PageHeader } from "#components/ui/page/page-header.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { Storage } from "#contracts/outbox/storage.ts";
import { HoldersPanel } from "./holders-panel.tsx";
import { InboxesPanel } from "./inboxes-panel.tsx";
import { IndexesPanel } from "./indexes-panel.tsx";
import { PartitionsPanel } from "./partitions-panel.tsx";
import { RetentionPanel } from "./retention-panel.tsx";
import { SizePanel } from "./size-panel.tsx";
import { SlotsPanel } from "./slots-panel.tsx";
import css from "./storage.module.css";
import { StorageTiles } from "./storage-tiles.tsx";

const PACE_MS = 15_000;

/** Where the space of one outbox goes, what keeps it from being freed, and what retention removes. */
export function StoragePage() {
  const { name, isPending } = useOutbox();
  const query = useQuery({
    ...storageQuery(name ?? ""),
    ...liveOptions(useLive(), { atLeastMs: PACE_MS }),
    enabled: name !== undefined,
  });
  const failure = useFailure(storageQuery(name ?? "").queryKey);
  const { data } = query;
  return (
    <>
      <PageHeader
        title={name === undefined ? "Storage" : `Storage of ${name}`}
        lead="How much space the table takes, what keeps it from being freed, and what retention removes."
      />
      {failure !== null && (
        <SilenceNote
          title="The storage could not be read."
          error={failure}
          asOf={data?.asOf}
          onRetry={() => void query.refetch()}
        />
      )}
      {name === undefined && !isPending && <NoOutbox />}
      {data === undefined && failure === null && name !== undefined && <div className={css.bones} aria-busy />}
      {data !== undefined && <Panels storage={data} isLastKnown={failure !== null} />}
    </>
  );
}

function Panels({ storage, isLastKnown }: { storage: Storage; isLastKnown: boolean }) {
  return (
    <div className={isLastKnown ? `${css.stack} last-known` : css.stack}>
      <StorageTiles storage={storage} />
      <RetentionPanel storage={storage} />
      <InboxesPanel inboxes={storage.inboxes} />
      <div className={css.grid}>
        <div className={css.stack}>
          <SizePanel growth={storage.growth} />
          <IndexesPanel storage={storage} />
        </div>
        <div className={css.stack}>
          <HoldersPanel holders={storage.holders} />
          {storage.partitions !== null && <PartitionsPanel reading={storage.partitions} />}
          <SlotsPanel slots={storage.slots} />
          <UnsaidPanel storage={storage} />
        </div>
      </div>
    </div>
  );
}

function UnsaidPanel({ storage: { figures, unsaid } }: { storage: Storage }) {
  if (figures.length === 0 && unsaid.length === 0) return null;
  return (
    <Panel title="This kind of store">
      {figures.map(({ label, value, note }) => (
        <p key={label} className={css.text}>
          {label}: <b>{value}</b>
          {note !== null && <span className="muted"> · {note}</span>}
        </p>
      ))}
      {unsaid.map((sentence) => (
        <p key={sentence} className={css.fine}>
          {sentence}
        </p>
      ))}
    </Panel>
  );
}
