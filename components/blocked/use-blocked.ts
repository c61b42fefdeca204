"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { type ActionScope, planAction } from "#components/action/plan-action.ts";
import { useActionScope } from "#components/action/use-action-scope.ts";
import { usePageSteps } from "#components/lists/paging.tsx";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { toast } from "#components/ui/notices/toast.ts";
import { useAddress } from "#components/ui/page/use-address.ts";
import type { BlockedAggregate } from "#contracts/outbox/blocked.ts";
import { READ_ONLY } from "#domain/action-switch.ts";
import { hasRole } from "#domain/operator.ts";
import { blockedQuery } from "./blocked-query.ts";

export const BLOCKED_ACTIONS = ["retry", "dead-letter", "pause", "resume"] as const;
export type BlockedAction = (typeof BLOCKED_ACTIONS)[number];

export interface BlockedAsk {
  action: BlockedAction;
  aggregate: BlockedAggregate;
}

const PACE_MS = 5_000;
const NOT_RELAYED = "Only what our relay publishes can be paused or resumed.";
const GROUP = "Blocked aggregates";

/** State of the page: the rows, the current one, the dialog, and the keys. */
export function useBlocked() {
  const { name, href, outbox } = useOutbox();
  const router = useRouter();
  const { params, change } = useAddress();
  const cursor = params.get("cursor") ?? undefined;
  const options = blockedQuery(name ?? "", cursor);
  const failure = useFailure(options.queryKey);
  const live = useLive();
  const query = useQuery({
    ...options,
    ...liveOptions(live, { atLeastMs: PACE_MS }),
    enabled: name !== undefined,
  });
  const scope = useActionScope(name);
  const [currentKey, setCurrent] = useState<string | undefined>(undefined);
  const [ask, setAsk] = useState<BlockedAsk | undefined>(undefined);
  const rows = query.data?.aggregates ?? [];
  const index = rows.findIndex(({ aggregateKey }) => aggregateKey === currentKey);
  const current = rows[index];

  /** Why an action is impossible; undefined if it is possible. */
  function blockedBecause(action: BlockedAction, { head }: BlockedAggregate): string | undefined {
    if (action === "pause" || action === "resume")
      return outbox === undefined || outbox.mode === "relay" ? pauseRefusal(scope) : NOT_RELAYED;
    if (head === null) return "No message of this aggregate has failed: it is paused.";
    return planAction(action, [head], scope).blocked;
  }

  function askFor(action: BlockedAction, aggregate = current): void {
    if (aggregate === undefined) return;
    const refusal = blockedBecause(action, aggregate);
    if (refusal === undefined) setAsk({ action, aggregate });
    // A key shows no hint as a button does.
    else toast.warn({ message: refusal });
  }

  function move(step: 1 | -1): void {
    const next = rows[index < 0 ? (step === 1 ? 0 : rows.length - 1) : index + step];
    if (next === undefined) return;
    setCurrent(next.aggregateKey);
    const row = document.querySelector<HTMLElement>(`[data-aggregate="${CSS.escape(next.aggregateKey)}"] a`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  }

  const messagesOf = ({ aggregateId, aggregateType }: BlockedAggregate) =>
    href("/messages", { state: "all", aggregateId, ...(aggregateType === null ? {} : { aggregateType }) });
  const onGo = (next: string | undefined) => change({ cursor: next });
  const steps = usePageSteps({ cursor, nextCursor: query.data?.nextCursor ?? null, onGo });

  useShortcuts([
    { key: "j", description: "Next aggregate", group: GROUP, run: () => move(1) },
    { key: "k", description: "Previous aggregate", group: GROUP, run: () => move(-1) },
    { key: "r", description: "Retry the head", group: GROUP, run: () => askFor("retry") },
    {
      key: "d",
      description: "Dead-letter the head, so that the rest passes",
      group: GROUP,
      run: () => askFor("dead-letter"),
    },
    {
      key: "h",
      description: "Pause the aggregate, or resume it",
      group: GROUP,
      run: () => current && askFor(current.pauses.length > 0 ? "resume" : "pause"),
    },
    {
      key: "m",
      description: "All messages of the aggregate",
      group: GROUP,
      run: () => current && router.push(messagesOf(current)),
    },
    { key: "n", description: "Next page", group: GROUP, run: steps.goOn },
    { key: "p", description: "Previous page", group: GROUP, run: steps.goBack },
  ]);

  function closeAsk(): void {
    setAsk(undefined);
    void query.refetch();
  }

  return {
    name,
    href,
    cursor,
    query,
    failure,
    scope,
    currentKey,
    setCurrent,
    ask,
    askFor,
    closeAsk,
    blockedBecause,
    messagesOf,
    onGo,
  };
}

/** Why the user cannot pause or resume now. */
function pauseRefusal({ actor, outbox, silent, readOnly }: ActionScope): string | undefined {
  if (readOnly) return READ_ONLY;
  if (silent) return "The database does not answer: nothing can be changed now.";
  if (actor === null || (actor && !hasRole(actor, "operator"))) return "This needs the role operator.";
  return outbox?.capabilities.actions.pause?.reason ?? undefined;
}

export type BlockedModel = ReturnType<typeof useBlocked>;
