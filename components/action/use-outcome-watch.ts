"use client";

import { queryOptions, useQueries } from "@tanstack/react-query";
import { messageQuery } from "#components/api/message-queries.ts";
import type { MessageDetail } from "#contracts/message/messages.ts";
import type { Operation } from "#contracts/message/operations.ts";
import type { MessageState } from "#domain/message/message-state.ts";

const WATCHED = 10;
const EVERY_MS = 1_000;
const SETTLED: readonly MessageState[] = ["published", "dead", "archived", "expired"];

/** A message after its retry, as last read. */
export type Followed = Pick<MessageDetail["message"], "state" | "version" | "lastError">;

/**
 * A message after an operation on it, asked for until its outcome is known. What was read of it before does not stand
 * for it, however long the first answer takes.
 */
export const outcomeQuery = (outbox: string, id: string, operation: string) => {
  const { queryKey, queryFn } = messageQuery(outbox, id);
  return queryOptions({
    queryKey: [...queryKey, "after", operation],
    queryFn,
    refetchInterval: (query) => (isSettled(query.state.data) ? (false as const) : EVERY_MS),
  });
};

/** Follows retried messages until each was published or failed again, since accepting a retry is not an outcome. */
export function useOutcomeWatch(outbox: string, operation: Operation): Map<string, Followed> {
  const retried = operation.action === "retry" && !operation.dryRun;
  const done = operation.outcomes.filter((outcome) => outcome.outcome === "done");
  const ids = (retried ? done : []).slice(0, WATCHED).map((outcome) => outcome.id);
  const queries = useQueries({ queries: ids.map((id) => outcomeQuery(outbox, id, operation.id)) });
  return new Map(
    queries.flatMap(({ data }, index) => {
      const id = ids[index];
      return id === undefined || data === undefined ? [] : [[id, data.message]];
    }),
  );
}

function isSettled(detail: MessageDetail | undefined): boolean {
  if (detail === undefined) return false;
  return SETTLED.includes(detail.message.state) || (detail.message.attempts ?? 0) > 0;
}
