"use client";

import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconMinus, IconQuestionMark } from "@tabler/icons-react";
import { StateBadge } from "#components/ui/badges/state-badge.tsx";
import { clipWords } from "#components/ui/format/clip-words.ts";
import { ShortId } from "#components/ui/values/short-id.tsx";
import type { MessageSummary } from "#contracts/message/messages.ts";
import type { Operation, OperationOutcome } from "#contracts/message/operations.ts";
import css from "./operation-dialog.module.css";
import { OUTCOME_WORDS, summariseOutcomes } from "./summarise-outcomes.ts";
import { type Followed, useOutcomeWatch } from "./use-outcome-watch.ts";

interface OperationResultsProps {
  outbox: string;
  operation: Operation;
  messages: readonly MessageSummary[];
  onClose: () => void;
}

const MOST_OF_ERROR = 200;

const LOOKS = {
  done: { icon: IconCheck, tone: "ok" },
  skipped: { icon: IconMinus, tone: "warn" },
  failed: { icon: IconAlertTriangle, tone: "bad" },
  unknown: { icon: IconQuestionMark, tone: "warn" },
} as const;

/** One line per message, failed ones first; a retried message is followed until its outcome is known. */
export function OperationResults({ outbox, operation, messages, onClose }: OperationResultsProps) {
  const followed = useOutcomeWatch(outbox, operation);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const outcomes = [...operation.outcomes].sort((a, b) => rank(b) - rank(a));
  return (
    <div className={css.body} data-testid="operation-results">
      <p role="status" className={css.summary}>
        {summariseOutcomes(operation)}
      </p>
      <ul className={css.outcomes}>
        {outcomes.map((outcome) => {
          const before = byId.get(outcome.id);
          const now = followed.get(outcome.id);
          const state = now?.state ?? outcome.stateAfter;
          const again = failedAgain(now, before);
          const { icon: Icon, tone } = again === null ? LOOKS[outcome.outcome] : LOOKS.failed;
          return (
            <li key={outcome.id} data-outcome={outcome.outcome}>
              <Icon size={15} className={`tone-${tone}`} aria-hidden />
              <div className={css.outcomeWords}>
                <span>
                  <b>{OUTCOME_WORDS[outcome.outcome]}</b> {before?.eventType} <ShortId id={outcome.id} copy={false} />
                </span>
                {(again ?? outcome.message) !== "" && <span className="muted">{again ?? outcome.message}</span>}
              </div>
              {state !== null && <StateBadge state={state} />}
            </li>
          );
        })}
      </ul>
      <div className={css.buttons}>
        <Button variant="filled" autoFocus onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}

/**
 * "Tried, and dead again: HTTP 422 …" of a retried message; null if it did not fail again. A copy may show the row as
 * it was.
 */
function failedAgain(now: Followed | undefined, before: MessageSummary | undefined): string | null {
  if (now === undefined || now.version === before?.version) return null;
  if (now.state !== "dead" && now.state !== "failed") return null;
  return `Tried, and ${now.state} again: ${clipWords(now.lastError ?? "no error recorded", MOST_OF_ERROR)}`;
}

function rank(outcome: OperationOutcome): number {
  return outcome.outcome === "done" ? 0 : 1;
}
