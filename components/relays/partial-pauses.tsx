"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { Panel } from "#components/ui/page/panel.tsx";
import type { RelayList } from "#contracts/outbox/relays.ts";
import { formatCount } from "#domain/format.ts";
import { PauseTable } from "./pause-table.tsx";
import css from "./relays.module.css";
import { shownOf } from "./shown-of.ts";

/** Pauses of types and aggregates. Only a few of many are shown at first, so that the relays below stay visible. */
export function PartialPauses({ data, silent }: { data: RelayList; silent: boolean }) {
  const [all, setAll] = useState(false);
  const partial = data.pauses.filter(({ scope }) => scope !== "outbox");
  if (partial.length === 0) return null;
  const shown = shownOf(partial, all);
  const few = shownOf(partial, false);
  const more = data.morePauses > 0 ? `, and ${formatCount(data.morePauses)} more` : "";
  return (
    <Panel title="Paused event types and aggregates" aside={`${formatCount(partial.length)}${more}`} flush>
      <PauseTable pauses={shown} silent={silent} />
      {few.length < partial.length && (
        <div className={css.showAll}>
          <Button size="xs" variant="default" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? `Show the first ${few.length}` : `Show all ${formatCount(partial.length)}`}
          </Button>
        </div>
      )}
    </Panel>
  );
}
