"use client";

import { useQueries } from "@tanstack/react-query";
import { messageQuery } from "#components/api/message-queries.ts";
import type { MessageDetail } from "#contracts/message/messages.ts";
import type { Operation } from "#contracts/message/operations.ts";
import type { MessageState } from "#domain/message/message-state.ts";

const WATCHED = 10;
const EVERY_MS = 1_000;
const SETTLED: readonly MessageState[] = ["published", "dead", "archived", "expired"];

/** A message after its retry, as last read. */
export type Followed = Pick<MessageDetail["message"], "state" | "version" | "lastError">;

/** Follows retried messages until each was published or failed again, since accepting a retry is not an outcome. */
export function useOutcomeWatch(outbox: string, operation: Operation): Map<string, Followed> {
  const retried = operation.action === "retry" && !operation.dryRun;
  const done = operation.outcomes.filter((outcome) => outcome.outcome === "done");
  const ids = (retried ? done : []).slice(0, WATCHED).map((outcome) => outcome.id);
  const queries = useQueries({
    queries: ids.map((id) => ({
      ...messageQuery(outbox, id),
      staleTime: 0,
      refetchInterval: (query: { state: { data: MessageDetail | undefined } }) =>
        isSettled(query.state.data) ? (false as const) : EVERY_MS,
    })),
  });
  return new Map(
    queries.flatMap((query, index) => {
      const id = ids[index];
      // Data cached before the operation does not count.
      return id === undefined || !query.isFetchedAfterMount || !query.data ? [] : [[id, query.data.message]];
    }),
  );
}

function isSettled(detail: MessageDetail | undefined): boolean {
  if (detail === undefined) return false;
  return SETTLED.includes(detail.message.state) || (detail.message.attempts ?? 0) > 0;
}
