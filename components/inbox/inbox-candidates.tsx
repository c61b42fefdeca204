import { CandidateList } from "#components/ui/page/candidate-list.tsx";
import type { InboxList } from "#contracts/outbox/inboxes.ts";
import css from "./inbox.module.css";

/**
 * Tables that may be inboxes, each with the question of the doctor and the lines that answer it; nothing while there is
 * none.
 */
export function InboxCandidates({ candidates }: Pick<InboxList, "candidates">) {
  return (
    <CandidateList
      title="Perhaps an inbox"
      aside="not counted until you confirm it"
      candidates={candidates}
      className={css.candidates}
    >
      {({ lines }) => (
        <>
          <p className="muted">If it is an inbox, paste this into outbox.yaml; otherwise leave it out.</p>
          <pre>{lines}</pre>
        </>
      )}
    </CandidateList>
  );
}
