"use client";

import { useState } from "react";
import { Panel } from "#components/ui/page/panel.tsx";
import type { OutboxList, OutboxSummary } from "#contracts/outbox/outboxes.ts";
import css from "./fleet.module.css";
import { FleetEntries } from "./fleet-entries.tsx";
import { FleetTable } from "./fleet-table.tsx";
import { HealthyLine } from "./healthy-line.tsx";
import { splitFleet } from "./split-fleet.ts";
import { useFleetSeries } from "./use-fleet-series.ts";

/** The outboxes, worst first; delivering ones are folded into one line. */
export function FleetPanel({ list, old }: { list: OutboxList; old: ReadonlySet<string> }) {
  const { troubled, healthy } = splitFleet(list.outboxes);
  const [asked, setAsked] = useState<boolean | undefined>(undefined);
  // When nothing is wrong, the table is shown unfolded.
  const unfolded = asked ?? troubled.length === 0;
  const shown: readonly OutboxSummary[] = unfolded ? [...troubled, ...healthy] : troubled;
  const series = useFleetSeries(shown.map((outbox) => outbox.name));
  return (
    <Panel
      title="Outboxes"
      aside={
        <>
          worst first<span className="hide-on-phone"> · in and out over the last hour</span>
        </>
      }
      flush
    >
      {shown.length > 0 && (
        <>
          <div className="hide-on-phone">
            <FleetTable outboxes={shown} old={old} stores={list.stores} series={series} />
          </div>
          <FleetEntries outboxes={shown} className={css.onPhone} />
        </>
      )}
      {healthy.length > 0 && (
        <HealthyLine
          healthy={healthy}
          more={troubled.length > 0}
          unfolded={unfolded}
          onToggle={() => setAsked(!unfolded)}
        />
      )}
    </Panel>
  );
}
