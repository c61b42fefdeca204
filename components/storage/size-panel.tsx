import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { Storage } from "#contracts/outbox/storage.ts";
import { formatBytes } from "#domain/format.ts";
import { SizeChart } from "./size-chart.tsx";
import css from "./storage.module.css";

const LEAST_POINTS = 2;

export function SizePanel({ growth }: Pick<Storage, "growth">) {
  return (
    <Panel title="Size" aside="table and indexes, 30 days">
      {growth.points.length < LEAST_POINTS ? (
        <EmptyState small title="Not known yet.">
          The worker records the size once an hour; the line begins with its second point.
        </EmptyState>
      ) : (
        <div className={css.chart}>
          <SizeChart growth={growth} />
        </div>
      )}
      {growth.limitBytes !== null && (
        <p className={css.fine}>Limit {formatBytes(growth.limitBytes)}, set in outbox.yaml.</p>
      )}
    </Panel>
  );
}
