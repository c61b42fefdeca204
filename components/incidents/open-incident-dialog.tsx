"use client";

import { Button, Checkbox, Modal, TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useState } from "react";
import { mayBeDone } from "#components/api/outage.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useServerNow } from "#components/live/use-now.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { openWhile } from "#components/ui/dialogs/open-while.ts";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { useUnsaved } from "#components/ui/page/use-unsaved.ts";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Incident } from "#contracts/watch/incidents.ts";
import { useOpening } from "./incident-queries.ts";
import type { IncidentStart } from "./incident-start.ts";
import css from "./incidents.module.css";

interface OpenIncidentDialogProps {
  start: IncidentStart;
  actor: string | null;
  /** Incidents that are open as the dialog opens. */
  besides: readonly Incident[];
  onClose: () => void;
}

const LEAST_TITLE = 3;
const DAY_MS = 86_400_000;

/** Asks for a title and who leads, opens the incident and goes to its page. */
export function OpenIncidentDialog({ start, actor, besides, onClose }: OpenIncidentDialogProps) {
  const [title, setTitle] = useState(start.title);
  const [leads, setLeads] = useState(true);
  const { holdRefresh } = useLive();
  const { href } = useOutbox();
  const router = useRouter();
  const opening = useOpening();
  const nowMs = useServerNow();
  // What began days ago is no beginning of tonight's timeline.
  const since = start.since !== null && nowMs - Date.parse(start.since) < DAY_MS ? start.since : null;
  useEffect(() => holdRefresh("a dialog is open"), [holdRefresh]);
  useUnsaved(title !== start.title);
  const ready = title.trim().length >= LEAST_TITLE;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!ready || opening.isPending) return;
    const { outboxes, group } = start;
    opening.mutate(
      {
        title: title.trim(),
        lead: leads ? actor : null,
        besides: besides.map(({ id }) => id),
        ...{ outboxes, group },
        ...(since === null ? {} : { since }),
      },
      {
        onSuccess: ({ id }) => {
          onClose();
          router.push(href(`/incidents/${id}`));
        },
      },
    );
  }

  return (
    <Modal opened onClose={onClose} title="Open an incident" {...openWhile(opening.isPending)}>
      <form className={css.form} onSubmit={submit}>
        <p>
          {start.outboxes.length === 0 ? "About all outboxes" : `About ${start.outboxes.join(", ")}`}, since{" "}
          {since === null ? "now" : <Instant at={since} />}. Everybody sees it on every page until it is ended. It
          changes no message and stops nothing.
        </p>
        {besides.length > 0 && (
          <ErrorNote tone="warn">
            Open already: {besides.map(({ id, title: other }) => `${id}, ${other}`).join("; ")}.
          </ErrorNote>
        )}
        <TextInput
          label="Title"
          data-autofocus
          required
          maxLength={200}
          autoComplete="off"
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Checkbox label="I lead it" checked={leads} onChange={(event) => setLeads(event.currentTarget.checked)} />
        {opening.error !== null && (
          <ErrorNote error={opening.error}>
            {mayBeDone(opening.error) && " It may have been opened: look at Incidents first."}
          </ErrorNote>
        )}
        <div className={css.buttons}>
          <Button onClick={onClose} disabled={opening.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" disabled={!ready} loading={opening.isPending}>
            Open the incident
          </Button>
        </div>
      </form>
    </Modal>
  );
}
