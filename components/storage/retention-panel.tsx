import { DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNote } from "#components/ui/error-note.tsx";
import { Instant } from "#components/ui/instant.tsx";
import { Panel } from "#components/ui/panel.tsx";
import type { Storage } from "#contracts/storage.ts";
import { formatBytes, formatCount, formatDuration } from "#domain/format.ts";
import { DryRun } from "./dry-run.tsx";
import css from "./storage.module.css";

type Run = Storage["retention"]["runs"][number];

/** How a run ended, in words. */
const ENDS: Record<string, string> = {
  done: "done",
  time: "goes on in the next turn",
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

export function RetentionPanel({ storage }: { storage: Storage }) {
  const { policies, refusal, monitorAlive, runs } = storage.retention;
  const isOn = policies.length > 0;
  return (
    <Panel title="Retention" aside={isOn ? policies.join(" · ") : "off: nothing is removed"}>
      {isOn && monitorAlive === false && (
        <ErrorNote tone="warn" title="No worker is running, so nothing is removed.">
          Start one with “npm run worker”.
        </ErrorNote>
      )}
      {refusal !== null ? (
        <p className={css.text}>{refusal}</p>
      ) : (
        <>
          <p className={css.text}>
            {isOn
              ? "Every minute the worker removes a part of what is older, the oldest first, in small batches."
              : "Set retention.published.keep in outbox.yaml to let the worker remove published rows of a certain age. A dry run says what that would remove now, and changes nothing."}
          </p>
          <DryRun outbox={storage.outbox} retention={storage.retention} />
        </>
      )}
      {(isOn || runs.length > 0) && <Runs runs={runs} />}
    </Panel>
  );
}

function Runs({ runs }: { runs: readonly Run[] }) {
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
