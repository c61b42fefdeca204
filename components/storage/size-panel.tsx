import { formatUtcInFull } from "#components/ui/format/format-instant.ts";
import { lazyPart } from "#components/ui/lazy/lazy-part.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { Storage } from "#contracts/outbox/storage.ts";
import { formatBytes } from "#domain/format.ts";
import css from "./storage.module.css";

/** The chart library is the console's largest script. */
const SizeChart = lazyPart(
  () => import("./size-chart.tsx").then((module) => module.SizeChart),
  <p className="muted">The chart could not be loaded.</p>,
);
const LEAST_POINTS = 2;

export function SizePanel({ growth }: Pick<Storage, "growth">) {
  return (
    <Panel title="Size" aside="table and indexes, 30 days">
      {growth.points.length < LEAST_POINTS ? (
        <EmptyState small title="Not known yet.">
          The worker records the size once an hour; the line begins with its second point.
        </EmptyState>
      ) : (
        <div className={css.chart} role="img" aria-label={describe(growth)}>
          <SizeChart growth={growth} />
        </div>
      )}
      {growth.limitBytes !== null && (
        <p className={css.fine}>Limit {formatBytes(growth.limitBytes)}, set in outbox.yaml.</p>
      )}
    </Panel>
  );
}

/** "Size: 4.2 GB at …, 3.9 GB at …; limit 80 GB", newest first. */
function describe({ points, limitBytes }: Storage["growth"]): string {
  const ends = [points.at(-1), points[0]].flatMap((point) =>
    point === undefined ? [] : [`${formatBytes(point.bytes)} at ${formatUtcInFull(point.at)} UTC`],
  );
  return `Size: ${ends.join(", ")}${limitBytes === null ? "" : `; limit ${formatBytes(limitBytes)}`}`;
}
