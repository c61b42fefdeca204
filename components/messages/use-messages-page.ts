"use client";

import { useEffect, useReducer, useState } from "react";
import { useLive } from "#components/live/live-provider.tsx";
import type { OperationAsk } from "#components/message/operation-dialog.tsx";
import { planAction } from "#components/message/plan-action.ts";
import { useActionScope } from "#components/message/use-action-scope.ts";
import type { MessageSummary } from "#contracts/messages.ts";
import type { MessageAction } from "#domain/message-state.ts";
import { type MessageFilters, readFilters, writeFilters } from "./message-filters.ts";
import { changeSelection, EMPTY_SELECTION } from "./selection.ts";
import { useAddress } from "./use-address.ts";
import { useMessageList } from "./use-message-list.ts";
import { useTabCounts } from "./use-tab-counts.ts";

/** State of the Messages page: filters and page from the address, the rows in place, the selection, the dialog. */
export function useMessagesPage(outbox: string | undefined) {
  const { params, go, change } = useAddress();
  const filters = readFilters(params);
  const cursor = params.get("cursor") ?? undefined;
  const live = useLive();
  const list = useMessageList({ outbox: outbox ?? "", filters, cursor }, outbox !== undefined);
  const counts = useTabCounts({ outbox, filters, list });
  const scope = useActionScope(outbox);
  const [selection, select] = useReducer(changeSelection, EMPTY_SELECTION);
  const [ask, setAsk] = useState<OperationAsk | undefined>(undefined);
  const rows = list.rows;
  const currentId = params.get("message") ?? undefined;
  const current = rows.find((row) => row.message.id === currentId)?.message;
  const selected = [...selection.messages.values()];

  const { holdRefresh } = live;
  const holding = selected.length > 0;
  useEffect(() => (holding ? holdRefresh("rows are selected") : undefined), [holding, holdRefresh]);
  useEffect(() => select({ type: "seen", rows: rows.map((row) => row.message) }), [rows]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another outbox is another set of ids
  useEffect(() => select({ type: "clear" }), [outbox]);

  /** Opens the dialog for the selection, or else for the message in the panel. */
  function askFor(action: MessageAction, messages: readonly MessageSummary[] = targets(selected, current)): void {
    if (planAction(action, messages, scope).blocked === undefined) setAsk({ action, messages });
  }

  return {
    filters,
    cursor,
    currentId,
    current,
    list,
    counts,
    scope,
    selection,
    selected,
    select,
    ask,
    askFor,
    closeAsk: () => setAsk(undefined),
    setFilters: (next: MessageFilters) => go(writeFilters(params, next)),
    hrefOf: (next: MessageFilters) => `?${writeFilters(params, next)}`,
    goToPage: (next: string | undefined) => change({ cursor: next, message: undefined }),
    /** Opening the first message adds a history entry; moving on to another does not. */
    open: (id: string | undefined) =>
      change({ message: id }, currentId === undefined && id !== undefined ? "push" : "replace"),
  };
}

function targets(selected: readonly MessageSummary[], current: MessageSummary | undefined) {
  if (selected.length > 0) return selected;
  return current === undefined ? [] : [current];
}

export type MessagesPageModel = ReturnType<typeof useMessagesPage>;
