import { STATE_LOOKS, StateBadge } from "#components/ui/badges/state-badge.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { RowAge } from "#components/ui/values/age.tsx";
import { Figure } from "#components/ui/values/figure.tsx";
import type { MappingPreview } from "#contracts/outbox/mapping.ts";
import { MESSAGE_STATES } from "#domain/message/message-state.ts";
import css from "./mapping.module.css";

type Row = MappingPreview["rows"][number];

const COLUMNS: readonly Column<Row>[] = [
  { key: "state", header: "State", cell: (row) => <StateBadge state={row.state} />, width: "104px" },
  {
    key: "type",
    header: "Type",
    cell: (row) => row.eventType ?? <span className="muted">none</span>,
    clip: true,
  },
  {
    key: "aggregate",
    header: "Aggregate",
    cell: (row) => <span className="mono">{row.aggregateId ?? "–"}</span>,
    clip: true,
    hideOnPhone: true,
    width: "22%",
  },
  { key: "age", header: "Age", align: "right", width: "84px", cell: (row) => <RowAge seconds={row.ageSeconds} /> },
  {
    key: "attempts",
    header: "Attempts",
    align: "right",
    cell: (row) => row.attempts ?? "–",
    hideOnPhone: true,
    width: "84px",
  },
  { key: "error", header: "Last error", cell: (row) => row.lastError ?? "", clip: true, hideOnPhone: true },
];

/** Only columns for which some row has a value. */
function columnsOf(rows: readonly Row[]): readonly Column<Row>[] {
  const empty = (has: (row: Row) => unknown) => rows.every((row) => has(row) === null);
  return COLUMNS.filter(
    ({ key }) =>
      !(key === "error" && empty((row) => row.lastError)) && !(key === "aggregate" && empty((row) => row.aggregateId)),
  );
}

/** The table by the proposal: counts, warnings, newest rows. */
export function ShownPanel({ preview }: { preview: MappingPreview }) {
  const states = MESSAGE_STATES.filter((state) => {
    const figure = preview.counts[state];
    return figure !== undefined && (figure.value > 0 || figure.precision !== "exact");
  });
  return (
    <Panel title="As it would be shown" aside="newest 20 rows, read now" flush>
      <dl className={css.counts}>
        {states.map((state) => {
          const figure = preview.counts[state];
          return (
            <div key={state} data-state={state}>
              <dt>{STATE_LOOKS[state].word}</dt>
              <dd>{figure && <Figure {...figure} />}</dd>
            </div>
          );
        })}
      </dl>
      {preview.warnings.map((warning) => (
        <div key={warning} className={css.warning}>
          <ErrorNote tone="warn">{warning}</ErrorNote>
        </div>
      ))}
      {preview.rows.length === 0 ? (
        <EmptyState title="No rows to show" />
      ) : (
        <DataTable
          caption="Newest rows"
          columns={columnsOf(preview.rows)}
          rows={preview.rows}
          rowKey={(row) => row.id}
          dense
        />
      )}
    </Panel>
  );
}
