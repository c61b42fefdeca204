"use client";

import { useQuery } from "@tanstack/react-query";
import { outboxQuery, sessionQuery } from "#components/api/queries.ts";
import { actorOn } from "#components/api/refusal.ts";
import { useLiveState } from "#components/live/use-live-state.ts";
import type { ActionScope } from "./plan-action.ts";

const SCOPE_FRESH_MS = 60_000;

/** The user and what this outbox allows. Read once, as neither changes while a list is open. */
export function useActionScope(outbox: string | undefined): ActionScope {
  const session = useQuery(sessionQuery());
  const detail = useQuery({ ...outboxQuery(outbox ?? ""), enabled: outbox !== undefined, staleTime: SCOPE_FRESH_MS });
  const { facts } = useLiveState();
  return {
    actor: actorOn(session.data?.actor, outbox),
    outbox: detail.data,
    silent: facts.silent,
    readOnly: session.data?.readOnly ?? false,
  };
}
