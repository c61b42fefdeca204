import { Panel } from "#components/ui/panel.tsx";
import type { InboxList } from "#contracts/inboxes.ts";
import css from "./inbox.module.css";

/** Tables that may be inboxes, each with the question of the doctor and the lines that answer it; nothing while there is none. */
export function InboxCandidates({ candidates }: Pick<InboxList, "candidates">) {
  if (candidates.length === 0) return null;
  return (
    <Panel title="Perhaps an inbox" aside={<>not counted until you say so</>}>
      <ul className={css.candidates}>
        {candidates.map(({ store, table, question, lines }) => (
          <li key={`${store} ${table}`} data-testid="inbox-candidate">
            <details>
              <summary>{question}</summary>
              <p className="muted">If it is an inbox, paste this into outbox.yaml; otherwise leave it out.</p>
              <pre>{lines}</pre>
            </details>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
