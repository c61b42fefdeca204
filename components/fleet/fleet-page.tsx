"use client";

import { TileRow } from "#components/tiles/tile-row.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { VerdictOrSilence } from "#components/verdict/verdict-or-silence.tsx";
import type { OutboxList } from "#contracts/outbox/outboxes.ts";
import { CandidatesPanel } from "./candidates-panel.tsx";
import css from "./fleet.module.css";
import { fleetFigures } from "./fleet-figures.ts";
import { FleetPanel } from "./fleet-panel.tsx";
import { StoresPanel } from "./stores-panel.tsx";
import { useLastFigures } from "./use-last-figures.ts";

interface FleetPageProps {
  list: OutboxList;
  /** Why the list cannot be read at present. */
  error: Error | null;
  onRetry: () => void;
}

/** All outboxes at a glance: how many are broken, the worst cause, and which are affected. */
export function FleetPage({ list: newest, error, onRetry }: FleetPageProps) {
  const { list, old } = useLastFigures(newest);
  const blind = newest.outboxes.every((outbox) => outbox.figures === null);
  const failure = error ?? (blind ? new Error(reasonOf(newest)) : null);
  return (
    <div className={css.stack}>
      <VerdictOrSilence
        verdict={list.fleet}
        outboxes={[]}
        silence={failure === null ? null : { error: failure, asOf: asOfFigures(list), onRetry }}
      />
      <div className={failure === null ? css.stack : `${css.stack} last-known`}>
        {list.problems.map((problem) => (
          <ErrorNote key={problem.store} tone="warn" title={`${problem.store}:`}>
            {problem.message}
          </ErrorNote>
        ))}
        <TileRow tiles={fleetFigures(blind ? list : newest)} />
        <FleetPanel list={list} old={old} />
        <StoresPanel stores={list.stores} />
        <CandidatesPanel candidates={list.candidates} />
      </div>
    </div>
  );
}

function reasonOf({ problems, outboxes }: OutboxList): string {
  return problems[0]?.message ?? outboxes.find(({ problem }) => problem !== null)?.problem ?? "No database answers.";
}

/** Instant of the newest figures on the page; undefined if there are none. */
function asOfFigures({ outboxes }: OutboxList): string | undefined {
  return outboxes
    .flatMap(({ figures }) => figures?.asOf ?? [])
    .sort()
    .at(-1);
}
