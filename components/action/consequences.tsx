"use client";

import { useQueries } from "@tanstack/react-query";
import { messageQuery } from "#components/api/message-queries.ts";
import type { MessageSummary } from "#contracts/message/messages.ts";
import { formatCount } from "#domain/format.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import { ACTION_WORDS } from "./action-words.ts";
import { describeConsequences } from "./describe-consequences.ts";
import css from "./operation-dialog.module.css";

/** Each message is looked up separately; above this number the cost exceeds the benefit. */
const LOOKED_AT = 10;

interface ConsequencesProps {
  outbox: string;
  action: MessageAction;
  messages: readonly MessageSummary[];
}

/** Describes the action, then its effect on these messages: their order and their consumers. */
export function Consequences({ outbox, action, messages }: ConsequencesProps) {
  const looked = messages.slice(0, LOOKED_AT);
  const queries = useQueries({ queries: looked.map(({ id }) => messageQuery(outbox, id)) });
  const details = queries.flatMap((query) => query.data ?? []);
  const known = describeConsequences(action, details);
  // One that is asked for again after a failure is not waited for: the sentence below would come and go.
  const waiting = queries.some(({ isPending, errorUpdateCount }) => isPending && errorUpdateCount === 0);
  const { consequence } = ACTION_WORDS[action];
  const unread = messages.length - (waiting ? looked.length : details.length);
  return (
    <div className={css.consequences}>
      <p>{messages.length === 1 ? consequence.one : consequence.several}</p>
      {known.map((sentence) => (
        <p key={sentence} className={css.warning}>
          {sentence}
        </p>
      ))}
      {waiting && <p className="muted">Checking their aggregates and consumers…</p>}
      {unread > 0 && (
        <p className="muted">
          Order and consumers of {unread === messages.length ? "these" : `the other ${formatCount(unread)}`} were not
          checked.
        </p>
      )}
    </div>
  );
}
