import Link from "next/link";
import { Panel } from "#components/ui/panel.tsx";
import type { OutboxList } from "#contracts/outboxes.ts";
import css from "./fleet.module.css";

/** Tables that may be outboxes, each with the question to answer; nothing while there is none. */
export function CandidatesPanel({ candidates }: Pick<OutboxList, "candidates">) {
  if (candidates.length === 0) return null;
  return (
    <Panel title="Perhaps an outbox" aside={<>not watched until you say so</>}>
      <ul className={css.candidates}>
        {candidates.map(({ store, table, question, evidence }) => (
          <li key={`${store} ${table}`} data-testid="candidate">
            <details>
              <summary>{question}</summary>
              <p className="muted">
                Store {store}. {evidence.join(" ")}
              </p>
              <p>
                <Link className="link" href={`/settings/mapping?${new URLSearchParams({ store, table })}`}>
                  Answer
                </Link>
              </p>
            </details>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
