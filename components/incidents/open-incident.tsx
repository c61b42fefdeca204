"use client";

import { Button } from "@mantine/core";
import { IconFlame } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sessionQuery } from "#components/api/queries.ts";
import { roleRefusal } from "#components/api/refusal.ts";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import { useOpenIncidents } from "./incident-queries.ts";
import type { IncidentStart } from "./incident-start.ts";

/** Dialogs are rare and their script is large, so it loads with the first one. */
const OpenIncidentDialog = lazyDialog(() =>
  import("./open-incident-dialog.tsx").then((module) => module.OpenIncidentDialog),
);

/** Opens an incident; nothing for people who may not, and where an open one is shown already, unless `another`. */
export function OpenIncident({ start, another = false }: { start: IncidentStart; another?: boolean }) {
  const [asking, setAsking] = useState(false);
  const { data: session } = useQuery(sessionQuery());
  const open = useOpenIncidents();
  const refused = roleRefusal(session, "operator") !== undefined;
  const shown = !another && (open?.incidents.length ?? 0) > 0;
  // A dialog that is open stays, and names the incident that somebody else has opened meanwhile.
  if (!asking && (refused || shown || (open !== undefined && open.problem !== null))) return null;
  const ready = session !== undefined && open !== undefined;
  return (
    <>
      <Button leftSection={<IconFlame size={14} aria-hidden />} disabled={!ready} onClick={() => setAsking(true)}>
        Open an incident…
      </Button>
      {asking && ready && (
        <OpenIncidentDialog
          start={start}
          actor={session.actor?.name ?? null}
          besides={open.incidents}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
