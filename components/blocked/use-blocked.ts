"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { planAction } from "#components/action/plan-action.ts";
import { useActionScope } from "#components/action/use-action-scope.ts";
import { usePageSteps } from "#components/lists/paging.tsx";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { pauseRefusal } from "#components/relays/pause-refusal.ts";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { tellRefusal } from "#components/ui/notices/toast.ts";
import { useAddress } from "#components/ui/page/use-address.ts";
import type { BlockedAggregate } from "#contracts/outbox/blocked.ts";
import { blockedQuery } from "./blocked-query.ts";

const BLOCKED_ACTIONS = ["retry", "dead-letter", "pause", "resume"] as const;
export type BlockedAction = (typeof BLOCKED_ACTIONS)[number];

export interface BlockedAsk {
  action: BlockedAction;
  aggregate: BlockedAggregate;
}

const PACE_MS = 5_000;
const NOT_RELAYED = "Only what our relay publishes can be paused or resumed.";
const NONE_CHOSEN = "Choose an aggregate first: j goes to the next one.";
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
    if (
      !tellRefusal(aggregate === undefined ? NONE_CHOSEN : blockedBecause(action, aggregate)) &&
      aggregate !== undefined
    )
      setAsk({ action, aggregate });
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
      run: () => askFor(current !== undefined && current.pauses.length > 0 ? "resume" : "pause"),
    },
    {
      key: "m",
      description: "All messages of the aggregate",
      group: GROUP,
      run: () => {
        if (current !== undefined) router.push(messagesOf(current));
        else tellRefusal(NONE_CHOSEN);
      },
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

export type BlockedModel = ReturnType<typeof useBlocked>;
