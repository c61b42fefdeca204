import Link from "next/link";
import { CandidateList } from "#components/ui/page/candidate-list.tsx";
import type { OutboxList } from "#contracts/outbox/outboxes.ts";

/** Tables that may be outboxes, each with the question to answer; nothing while there is none. */
export function CandidatesPanel({ candidates }: Pick<OutboxList, "candidates">) {
  return (
    <CandidateList title="Perhaps an outbox" aside="not watched until you confirm it" candidates={candidates}>
      {({ store, table, evidence }) => (
        <>
          <p className="muted">
            Store {store}. {evidence.join(" ")}
          </p>
          <p>
            <Link className="link" href={`/settings/mapping?${new URLSearchParams({ store, table })}`}>
              Answer
            </Link>
          </p>
        </>
      )}
    </CandidateList>
  );
}
