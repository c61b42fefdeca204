import type { ReactNode } from "react";
import css from "./candidate-list.module.css";
import { Panel } from "./panel.tsx";

interface Candidate {
  store: string;
  /** With its schema. */
  table: string;
  question: string;
}

interface CandidateListProps<One extends Candidate> {
  title: string;
  /** What is not done with the tables before the question is answered. */
  aside: string;
  candidates: readonly One[];
  className?: string | undefined;
  /** What helps to answer; shown once the question is opened. */
  children: (candidate: One) => ReactNode;
}

/** Tables that may be one of ours, each with the question to answer; nothing while there is none. */
export function CandidateList<One extends Candidate>({ candidates, children, ...panel }: CandidateListProps<One>) {
  if (candidates.length === 0) return null;
  return (
    <Panel {...panel}>
      <ul className={css.list}>
        {candidates.map((one) => (
          <li key={`${one.store} ${one.table}`} data-testid="candidate">
            <details>
              <summary>{one.question}</summary>
              {children(one)}
            </details>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
