"use client";

import { useEffect, useState } from "react";
import type { ActionScope } from "#components/action/plan-action.ts";
import type { MessageFilters } from "#components/filters/message-filters.ts";
import { tellRefusal } from "#components/ui/notices/toast.ts";
import type { MessageSummary } from "#contracts/message/messages.ts";
import { formatPlural } from "#domain/format.ts";
import type { BulkAction } from "#domain/message/bulk-operation.ts";
import type { BulkAsk } from "../preview/bulk-ask.ts";
import { describeFilters, everythingBlocked, selectionOf } from "./everything.ts";

/** Whether all that match a list's filter are selected, and the request on them; another filter clears both. */
export function useEverything(outbox: string | undefined, filters: MessageFilters, scope: ActionScope) {
  const address = JSON.stringify([outbox, filters]);
  const [chosenFor, setChosenFor] = useState<string | undefined>(undefined);
  const [ask, setAsk] = useState<BulkAsk | undefined>(undefined);
  const chosen = chosenFor === address;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked of one list is not asked of another
  useEffect(() => {
    setChosenFor(undefined);
    setAsk((last) => (last !== undefined && "targets" in last.select ? last : undefined));
  }, [address]);

  function askFor(action: BulkAction): void {
    const filter = selectionOf(filters);
    if (tellRefusal(everythingBlocked(action, filters, scope)) || filter === null) return;
    setAsk({ action, select: { filter }, words: describeFilters(filters) });
  }

  /** The request on chosen messages, which opens a preview as well. */
  function askForThese(action: BulkAction, messages: readonly MessageSummary[]): void {
    const targets = messages.map(({ id, version }) => ({ id, version }));
    setAsk({ action, select: { targets }, words: `${formatPlural(targets.length, "message")} chosen in the list` });
  }

  return {
    outbox,
    chosen,
    choose: (on: boolean) => setChosenFor(on ? address : undefined),
    ask: chosen || (ask !== undefined && "targets" in ask.select) ? ask : undefined,
    askFor,
    askForThese,
    closeAsk: () => setAsk(undefined),
    blockedOf: (action: BulkAction) => everythingBlocked(action, filters, scope),
  };
}
