import { Panel } from "#components/ui/panel.tsx";
import type { OutboxList } from "#contracts/outboxes.ts";
import css from "./fleet.module.css";

/** Tables that may be outboxes, each with the question to answer; nothing while there is none. */
export function CandidatesPanel({ candidates }: Pick<OutboxList, "candidates">) {
  if (candidates.length === 0) return null;
  return (
    <Panel
      title="Perhaps an outbox"
      aside={
        <>
          not watched; name it in <code>outbox.yaml</code> to add it
        </>
      }
    >
      <ul className={css.candidates}>
        {candidates.map(({ store, table, question, evidence }) => (
          <li key={`${store} ${table}`} data-testid="candidate">
            <details>
              <summary>{question}</summary>
              <p className="muted">
                Store {store}. {evidence.join(" ")} <code>npm run doctor</code> prints the lines for{" "}
                <code>outbox.yaml</code>.
              </p>
            </details>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
