import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNote } from "#components/ui/error-note.tsx";
import { Panel } from "#components/ui/panel.tsx";
import type { OutboxList } from "#contracts/outboxes.ts";
import { formatPlural } from "#domain/format.ts";
import css from "./overview.module.css";

/** Nothing looks like an outbox: says where was looked, and how to name one. */
export function NoOutboxes({ list: { problems, looked } }: { list: Pick<OutboxList, "problems" | "looked"> }) {
  return (
    <div className={css.stack}>
      {problems.map((problem) => (
        <ErrorNote key={problem.store} title={`${problem.store}:`}>
          {problem.message}
        </ErrorNote>
      ))}
      <Panel>
        <EmptyState title="No outbox is known.">
          None of the tables below looks like an outbox. Name the table in <code>outbox.yaml</code>, with a{" "}
          <code>columns:</code> mapping where its columns have other names.
        </EmptyState>
      </Panel>
      {looked.map((store) => (
        <Panel
          key={store.store}
          title={
            <>
              {store.store} <span className={css.address}>{store.address}</span>
            </>
          }
          aside={formatPlural(store.tables.length, "table")}
        >
          <Tables tables={store.tables} />
        </Panel>
      ))}
    </div>
  );
}

function Tables({ tables }: { tables: readonly string[] }) {
  if (tables.length === 0) {
    return <p className={css.looked}>No table in it may be read by this console's role, or there is none.</p>;
  }
  return (
    <ul className={`${css.looked} mono`}>
      {tables.map((table) => (
        <li key={table}>{table}</li>
      ))}
    </ul>
  );
}
