import { CandidatesPanel } from "#components/fleet/candidates-panel.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { OutboxList } from "#contracts/outbox/outboxes.ts";
import { formatPlural } from "#domain/format.ts";
import css from "./overview.module.css";

interface NoOutboxesProps {
  list: Pick<OutboxList, "problems" | "looked" | "candidates">;
}

/** No outbox to show: says where the console looked and how to configure one, or that nothing could be read. */
export function NoOutboxes({ list: { problems, looked, candidates } }: NoOutboxesProps) {
  return (
    <div className={css.stack}>
      {problems.map((problem) => (
        <ErrorNote key={problem.store} title={`${problem.store}:`}>
          {problem.message}
        </ErrorNote>
      ))}
      <Panel>
        {looked.length === 0 ? (
          <EmptyState heading title="No database could be read.">
            Outboxes appear here as soon as a database answers. The console retries every few seconds.
          </EmptyState>
        ) : (
          <EmptyState heading title="No outbox was found.">
            {whatWasSeen(candidates.length, looked)} in <code>outbox.yaml</code>, with a <code>columns:</code> mapping
            where its columns have other names. A table that is created now appears here within a minute.
          </EmptyState>
        )}
      </Panel>
      <CandidatesPanel candidates={candidates} />
      {looked.map((store) => (
        <Panel
          key={store.store}
          title={
            <>
              {store.store} <span className={css.address}>{store.address}</span>
            </>
          }
          aside={`${formatPlural(store.tables.length, "table")} checked`}
        >
          <Tables tables={store.tables} />
        </Panel>
      ))}
    </div>
  );
}

function whatWasSeen(candidates: number, looked: NoOutboxesProps["list"]["looked"]): string {
  if (candidates > 0)
    return "None of the tables below is certain to be an outbox. Answer the question about one of them, or name the outbox's table";
  if (looked.every(({ tables }) => tables.length === 0))
    return "The console sees no table. If there are some, let its user read them; an outbox that it does not recognise is named";
  return "None of the tables below looks like an outbox. Name the table";
}

function Tables({ tables }: { tables: readonly string[] }) {
  if (tables.length === 0) {
    return <p className="muted">There are no tables, or none that the console's role can see.</p>;
  }
  return (
    <ul className={`${css.looked} mono`}>
      {tables.map((table) => (
        <li key={table}>{table}</li>
      ))}
    </ul>
  );
}
