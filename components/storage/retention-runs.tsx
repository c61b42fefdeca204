import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { DataTable } from "#components/ui/page/data-table.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Storage } from "#contracts/outbox/storage.ts";
import { formatBytes, formatCount, formatDuration } from "#domain/format.ts";

type Run = Storage["retention"]["runs"][number];

/** How a run ended, in words. */
const ENDS: Record<string, string> = {
  done: "done",
  time: "continues in the next turn",
  busy: "paused: the database is busy",
  timeout: "stopped: too slow",
  locked: "contended",
  refused: "refused",
  stopped: "stopped with the worker",
  failed: "failed",
  dropped: "dropped",
  pinned: "pinned",
  contended: "contended",
  missing: "missing",
  created: "created",
};

/** Runs of retention, newest first. */
export function Runs({ runs }: { runs: readonly Run[] }) {
  if (runs.length === 0) return <EmptyState small title="No run yet." />;
  return (
    <DataTable
      caption="Runs of retention, newest first"
      rows={runs}
      rowKey={({ id }) => id}
      columns={[
        { key: "at", header: "Run", cell: ({ startedAt }) => <Instant at={startedAt} /> },
        {
          key: "what",
          header: "What",
          clip: true,
          width: "26%",
          cell: ({ subject, rule }) => <span title={rule}>{subject}</span>,
        },
        { key: "rows", header: "Rows", align: "right", cell: ({ rows }) => formatCount(rows) },
        {
          key: "bytes",
          header: "Freed",
          align: "right",
          hideOnPhone: true,
          cell: ({ bytes }) => `≈ ${formatBytes(bytes)}`,
        },
        { key: "took", header: "Took", align: "right", hideOnPhone: true, cell: took },
        { key: "end", header: "Outcome", clip: true, width: "40%", cell: (run) => <Outcome {...run} /> },
      ]}
    />
  );
}

function took({ startedAt, endedAt }: Run): string {
  return endedAt === null ? "–" : formatDuration((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
}

function Outcome({ end, detail }: Run) {
  const text = end === null ? "running, or cut short" : (ENDS[end] ?? end);
  return <span title={detail ?? undefined}>{detail === null ? text : `${text}: ${detail}`}</span>;
}
