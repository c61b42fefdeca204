"use client";

import { useQuery } from "@tanstack/react-query";
import { outboxQuery, sessionQuery } from "#components/api/queries.ts";
import { useLiveState } from "#components/live/use-live-state.ts";
import type { ActionScope } from "./plan-action.ts";

const SCOPE_FRESH_MS = 60_000;

/** Who is signed in and what this outbox allows. Read once: neither changes while someone looks at a list. */
export function useActionScope(outbox: string | undefined): ActionScope {
  const session = useQuery(sessionQuery());
  const detail = useQuery({ ...outboxQuery(outbox ?? ""), enabled: outbox !== undefined, staleTime: SCOPE_FRESH_MS });
  const { state } = useLiveState();
  return { actor: session.data?.actor, outbox: detail.data, silent: state === "disconnected" };
}
