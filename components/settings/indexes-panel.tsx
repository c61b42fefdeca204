import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import type { OutboxDetail } from "#contracts/outbox/outboxes.ts";
import { formatPlural } from "#domain/format.ts";
import css from "./settings.module.css";

/** Indexes that would speed up lists and counts. The console never creates them. */
export function IndexesPanel({ detail }: { detail: OutboxDetail }) {
  const missing = detail.missingIndexes;
  if (missing.length === 0) {
    return (
      <Panel title="Indexes" flush>
        <EmptyState small title="Every list and count of the console has an index." />
      </Panel>
    );
  }
  return (
    <Panel title="Indexes" aside={`${formatPlural(missing.length, "index", "indexes")} would help`}>
      <p className={css.text}>
        Without these indexes, reads of a large table stop early and say “at least”, and some filters are refused. Run
        the SQL as the table's owner; it does not block writers. The console finds missing indexes by planning its own
        statements and the relay's.
      </p>
      {missing.map((index) => (
        <div key={index.purpose} className={css.index}>
          <span>{index.purpose}</span>
          {index.sql !== null && <CodeBlock text={index.sql} label={`the SQL: ${index.purpose}`} />}
        </div>
      ))}
    </Panel>
  );
}
