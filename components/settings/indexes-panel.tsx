import { CodeBlock } from "#components/ui/code-block.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Panel } from "#components/ui/panel.tsx";
import type { OutboxDetail } from "#contracts/outboxes.ts";
import { formatPlural } from "#domain/format.ts";
import css from "./settings.module.css";

/** Indexes that would make lists and counts quick. The console never creates them by itself. */
export function IndexesPanel({ detail }: { detail: OutboxDetail }) {
  const missing = detail.missingIndexes;
  if (missing.length === 0) {
    return (
      <Panel title="Indexes" flush>
        <EmptyState small title="Every list and count of the console has its index." />
      </Panel>
    );
  }
  return (
    <Panel title="Indexes" aside={`${formatPlural(missing.length, "index", "indexes")} would help`}>
      <p className={css.text}>
        Each is judged by planning the statements of the relay and of the console. Without them reads of a large table
        stop early and say “at least”, and some filters are refused. Run these as the table's owner; they do not block
        writers.
      </p>
      {missing.map((index) => (
        <div key={index.sql} className={css.index}>
          <span>{index.purpose}</span>
          <CodeBlock text={index.sql} label={`the SQL: ${index.purpose}`} />
        </div>
      ))}
    </Panel>
  );
}
