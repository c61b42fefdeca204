"use client";

import { useState } from "react";
import type { ActionScope } from "#components/message/plan-action.ts";
import type { MessageFilters } from "#components/messages/message-filters.ts";
import type { MessageAction } from "#domain/message-state.ts";
import type { BulkAsk } from "./bulk-ask.ts";
import { describeFilters, everythingBlocked, selectionOf } from "./everything.ts";

/** Whether all that match a list's filter are selected, and the request on them; another filter clears both. */
export function useEverything(outbox: string | undefined, filters: MessageFilters, scope: ActionScope) {
  const address = JSON.stringify([outbox, filters]);
  const [chosenFor, setChosenFor] = useState<string | undefined>(undefined);
  const [ask, setAsk] = useState<BulkAsk | undefined>(undefined);
  const chosen = chosenFor === address;

  function askFor(action: MessageAction): void {
    const filter = selectionOf(filters);
    if (filter === null || everythingBlocked(action, filters, scope) !== undefined) return;
    setAsk({ action, select: { filter }, words: describeFilters(filters) });
  }

  return {
    outbox,
    chosen,
    choose: (on: boolean) => setChosenFor(on ? address : undefined),
    ask: chosen ? ask : undefined,
    askFor,
    closeAsk: () => setAsk(undefined),
    blockedOf: (action: MessageAction) => everythingBlocked(action, filters, scope),
  };
}
