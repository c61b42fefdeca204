import { Panel } from "#components/ui/page/panel.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import type { MappingPreview } from "#contracts/outbox/mapping.ts";
import { transitionFor } from "#domain/message/message-state.ts";
import css from "./mapping.module.css";

const WORDS = { retry: "Retry", "dead-letter": "Dead-letter", archive: "Archive" } as const;

/** What each button writes into the table, to read and to copy. */
export function StatementsPanel({ statements }: Pick<MappingPreview, "statements">) {
  return (
    <Panel title="What each button writes into this table" aside="nothing is written here">
      <div className={css.statements}>
        {statements.map(({ action, sql, note }) => (
          <section key={action} className={css.statement}>
            <h3>
              {WORDS[action]} <span>from {transitionFor(action).from.join(", ").replaceAll("_", " ")}</span>
            </h3>
            {sql !== null && <CodeBlock text={sql} label={`the SQL of ${WORDS[action]}`} />}
            {note !== null && <p>{note}</p>}
          </section>
        ))}
      </div>
    </Panel>
  );
}
