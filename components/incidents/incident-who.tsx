"use client";

import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "#components/ui/dialogs/confirm-dialog.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { IncidentDetail } from "#contracts/watch/incidents.ts";
import type { useIncident } from "./incident-queries.ts";
import css from "./incidents.module.css";

interface IncidentWhoProps {
  incident: IncidentDetail;
  /** Null for people who may change nothing. */
  actor: string | null;
  acting: ReturnType<typeof useIncident>["acting"];
}

/** Who leads, who takes over, and the end. */
export function IncidentWho({ incident: { id, lead, ended }, actor, acting }: IncidentWhoProps) {
  const [ending, setEnding] = useState(false);
  const [to, setTo] = useState<string | null>(null);
  const from = lead?.name ?? null;
  const open = ended === null && actor !== null;
  const take = (name: string | null) =>
    acting.mutate({ act: "lead", from, to: name }, { onSuccess: () => setTo(null) });
  function end() {
    // What was refused before was another act.
    acting.reset();
    setEnding(true);
  }

  return (
    <Panel
      title={lead === null ? "Nobody leads" : <bdi>{lead.name === actor ? "You lead" : `${lead.name} leads`}</bdi>}
      aside={
        lead !== null && (
          <>
            since <Instant at={lead.since} />
          </>
        )
      }
    >
      {acting.error !== null && !ending && <ErrorNote tone="warn" error={acting.error} />}
      {open && (
        <p className={css.decide}>
          {from !== actor && (
            <Button size="xs" onClick={() => take(actor)}>
              {from === null ? "I lead" : "Take over"}
            </Button>
          )}
          {to === null && (
            <Button size="xs" onClick={() => setTo("")}>
              Hand over…
            </Button>
          )}
          <Button size="xs" onClick={end}>
            End the incident…
          </Button>
        </p>
      )}
      {open && to !== null && (
        <form
          className={css.add}
          onSubmit={(event) => {
            event.preventDefault();
            if (to.trim() !== "") take(to.trim());
          }}
        >
          <TextInput
            aria-label="Hand over to"
            placeholder="Name"
            autoComplete="off"
            maxLength={200}
            autoFocus
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") setTo(null);
            }}
          />
          <Button onClick={() => setTo(null)}>Cancel</Button>
          <Button type="submit" aria-disabled={to.trim() === ""}>
            Hand over
          </Button>
        </form>
      )}
      {ended !== null && <p className="muted">It has ended; notes can still be added.</p>}
      <ConfirmDialog
        opened={ending}
        onClose={() => setEnding(false)}
        title={`End incident ${id}`}
        consequence="It disappears from the other pages; its timeline is kept. Ending repairs nothing and retries no message."
        reason={{ label: "Outcome", placeholder: "e.g. consumer fixed in v412, all delivered" }}
        confirmLabel="End the incident"
        pending={acting.isPending}
        error={acting.error}
        onConfirm={(outcome) => acting.mutate({ act: "end", outcome }, { onSuccess: () => setEnding(false) })}
      />
    </Panel>
  );
}
