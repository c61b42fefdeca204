import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { OutboxDetail } from "#contracts/outbox/outboxes.ts";
import { formatCount } from "#domain/format.ts";

type Threshold = OutboxDetail["thresholds"][number];

const COLUMNS: Column<Threshold>[] = [
  { key: "name", header: "Figure", cell: (row) => row.name },
  { key: "warn", header: "Warns at", align: "right", cell: (row) => limitOf(row.warn) },
  { key: "fail", header: "Fails at", align: "right", cell: (row) => limitOf(row.fail) },
];

/** "10,000", or words with a unit as they are. */
function limitOf(text: string): string {
  return /^\d+$/.test(text) ? formatCount(Number(text)) : text;
}

export function ThresholdsPanel({ detail }: { detail: OutboxDetail }) {
  return (
    <Panel title="Thresholds" flush>
      <DataTable caption="Thresholds" columns={COLUMNS} rows={detail.thresholds} rowKey={(row) => row.name} />
    </Panel>
  );
}
