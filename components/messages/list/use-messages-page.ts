"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useReducer, useState } from "react";
import type { OperationAsk } from "#components/action/operation-dialog.tsx";
import { planAction } from "#components/action/plan-action.ts";
import { useActionScope } from "#components/action/use-action-scope.ts";
import { messageQuery } from "#components/api/message-queries.ts";
import { type MessageFilters, readFilters, writeFilters } from "#components/filters/message-filters.ts";
import type { ListColumn } from "#components/lists/list-columns.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useEverything } from "#components/operations/everything/use-everything.ts";
import type { MessageSummary } from "#contracts/message/messages.ts";
import type { BulkAction } from "#domain/message/bulk-operation.ts";
import { tellRefusal } from "../../ui/notices/toast.ts";
import { askedAddress } from "../../ui/page/asked-address.ts";
import { useAddress } from "../../ui/page/use-address.ts";
import { useColumns } from "../columns/use-columns.ts";
import { changeSelection, EMPTY_SELECTION, type SelectionEvent } from "./selection.ts";
import { useMessageList } from "./use-message-list.ts";
import { useTabCounts } from "./use-tab-counts.ts";

/** State of the Messages page: filters and page from the address, the rows in place, the selection, the dialog. */
export function useMessagesPage(outbox: string | undefined) {
  const { params, go, change } = useAddress();
  const filters = readFilters(params);
  const cursor = params.get("cursor") ?? undefined;
  /** Place of the page's first row in the list; undefined where the address does not say it. */
  const first = cursor === undefined ? 1 : placeOf(params.get("at"));
  const columns = useColumns();
  const live = useLive();
  const client = useQueryClient();
  const list = useMessageList({ outbox: outbox ?? "", filters, cursor }, outbox !== undefined);
  const counts = useTabCounts({ outbox, filters, list });
  const scope = useActionScope(outbox);
  const [selection, dispatch] = useReducer(changeSelection, EMPTY_SELECTION);
  const everything = useEverything(outbox, filters, scope);
  const [ask, setAsk] = useState<OperationAsk | undefined>(undefined);
  const rows = list.rows;
  const currentId = params.get("message") ?? undefined;
  const selected = [...selection.messages.values()];

  const { holdRefresh } = live;
  const holding = selected.length > 0;
  useEffect(() => (holding ? holdRefresh("rows are selected") : undefined), [holding, holdRefresh]);
  useEffect(() => dispatch({ type: "seen", rows: rows.map((row) => row.message) }), [rows]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another outbox is another set of ids
  useEffect(() => dispatch({ type: "clear" }), [outbox]);

  /** Choosing rows again ends the selection of all that match. */
  function select(event: SelectionEvent): void {
    everything.choose(false);
    dispatch(event);
  }

  /** Opens the dialog for all that match, for the selection, or else for the message in the panel. */
  function askFor(action: BulkAction, messages?: readonly MessageSummary[]): void {
    if (messages === undefined && everything.chosen) everything.askFor(action);
    else askForThese(action, messages ?? (selected.length > 0 ? selected : inPanel()));
  }

  /**
   * The open message. As the panel shows it, if it was read: its version lets a like attempt pass, which a row's does
   * not.
   */
  function inPanel(): readonly MessageSummary[] {
    const id = readCurrentId();
    if (outbox === undefined || id === undefined) return [];
    const message =
      client.getQueryData(messageQuery(outbox, id).queryKey)?.message ??
      rows.find((row) => row.message.id === id)?.message;
    return message === undefined ? [] : [message];
  }

  function askForThese(action: BulkAction, messages: readonly MessageSummary[]): void {
    if (tellRefusal(planAction(action, messages, scope).blocked)) return;
    if (action === "republish") everything.askForThese(action, messages);
    else setAsk({ action, messages });
  }

  return {
    filters,
    cursor,
    first,
    columns,
    currentId,
    readCurrentId,
    readFilters: () => readFilters(askedAddress.params()),
    list,
    counts,
    scope,
    selection,
    selected,
    select,
    everything,
    /** More messages match than the selection can hold or the page shows. */
    moreMatch: cursor !== undefined || (list.list?.nextCursor ?? null) !== null,
    ask,
    askFor,
    closeAsk: () => setAsk(undefined),
    setFilters: (next: MessageFilters) => go(writeFilters(askedAddress.params(), next)),
    /** Filters and columns at once; columns of a view are in the address, so that they stay those of the view. */
    openView: (next: MessageFilters, shown: readonly ListColumn[] | undefined) => {
      const address = writeFilters(askedAddress.params(), next);
      if (shown === undefined) address.delete("columns");
      else address.set("columns", shown.join(","));
      go(address);
    },
    hrefOf: (next: MessageFilters) => `?${writeFilters(params, next)}`,
    paging: {
      cursor,
      nextCursor: list.list?.nextCursor ?? null,
      at: first,
      rows: rows.length,
      onGo: (next: string | undefined, place: number | undefined) =>
        change({ cursor: next, at: place?.toString(), message: undefined }),
    },
    /** Opening the first message adds a history entry; moving on to another does not. */
    open: (id: string | undefined) =>
      change({ message: id }, readCurrentId() === undefined && id !== undefined ? "push" : "replace"),
  };
}

function placeOf(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** The message that the keys are at: ahead of the rendered one while keys come faster than the page renders. */
function readCurrentId(): string | undefined {
  return askedAddress.params().get("message") ?? undefined;
}

export type MessagesPageModel = ReturnType<typeof useMessagesPage>;
