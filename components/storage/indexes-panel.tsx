import { DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Storage } from "#contracts/outbox/storage.ts";
import { formatCount } from "#domain/format.ts";
import { formatBytesOf } from "./format-bytes-of.ts";
import css from "./storage.module.css";

type Index = Storage["indexes"][number];

export function IndexesPanel({ storage: { indexes, countedSince, missingIndexes } }: { storage: Storage }) {
  if (indexes.length === 0 && missingIndexes.length === 0) return null;
  const since =
    countedSince === null ? undefined : (
      <>
        scans since <Instant at={countedSince} /> UTC
      </>
    );
  return (
    <Panel title="Indexes" aside={since} flush>
      <DataTable
        caption="Indexes of the table"
        rows={indexes}
        rowKey={({ name }) => name}
        columns={[
          {
            key: "name",
            header: "Index",
            clip: true,
            width: "60%",
            cell: ({ name }) => <span title={name}>{name}</span>,
          },
          {
            key: "bytes",
            header: "Size",
            align: "right",
            cell: ({ bytes }) => <span className={css.whole}>{formatBytesOf(bytes)}</span>,
          },
          { key: "scans", header: "Scans", align: "right", cell: (index) => <Scans {...index} /> },
        ]}
      />
      {missingIndexes.length > 0 && (
        <div className={css.under}>
          {missingIndexes.map(({ purpose, sql }) => (
            <div key={purpose} className={css.codes}>
              <span className={css.fine}>Missing: {purpose}</span>
              {sql !== null && <CodeBlock text={sql} label="the SQL that creates the index" />}
            </div>
          ))}
        </div>
      )}
    </Panel>
  );
}

/** A unique index is needed though nothing reads it. */
function Scans({ scans, isUnique, isValid }: Index) {
  if (!isValid) return <span className={css.warn}>not valid</span>;
  if (scans === null) return <span className="muted">not counted</span>;
  return (
    <span className={scans === 0 && !isUnique ? css.warn : undefined}>
      {scans === 0 && !isUnique ? "unused" : formatCount(scans)}
    </span>
  );
}
