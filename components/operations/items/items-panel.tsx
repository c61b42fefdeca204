"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { EmptyPage } from "#components/lists/empty-page.tsx";
import { Paging } from "#components/lists/paging.tsx";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { useAddress } from "#components/ui/page/use-address.ts";
import type { Bulk, Operation } from "#contracts/message/operations.ts";
import { formatCount } from "#domain/format.ts";
import css from "../operation.module.css";
import { countOf, type ItemTab, listItemTabs, readItemTab } from "../queries/item-tabs.ts";
import { itemsQuery } from "../queries/operation-queries.ts";
import { isSettled } from "../queries/use-operation-watch.ts";
import { areItemsGone } from "./follow-ups.ts";
import { ItemTable } from "./item-table.tsx";
import { OUTCOME_LOOKS, outcomeLabel } from "./outcome-looks.tsx";

/** The operation's messages by outcome; tab and page are in the address. */
export function ItemsPanel({ operation, bulk }: { operation: Operation; bulk: Bulk }) {
  const { params, change } = useAddress();
  const tab = readItemTab(params.get("outcome"));
  const cursor = params.get("cursor") ?? undefined;
  const options = itemsQuery(operation.id, tab, cursor);
  const failure = useFailure(options.queryKey);
  const settled = isSettled(operation);
  const { data, refetch } = useQuery({ ...options, ...liveOptions(useLive(), { refresh: !settled }) });
  const before = useRef(settled);
  useEffect(() => {
    // What was read last may be older than the end.
    if (settled && !before.current) void refetch();
    before.current = settled;
  }, [settled, refetch]);
  const items = data?.items;
  return (
    <Panel flush className={css.items}>
      <nav className={css.tabs} aria-label="Items by outcome">
        {listItemTabs(operation.action, bulk.counts, tab).map((each) => (
          <button
            key={each}
            type="button"
            aria-current={each === tab ? "true" : undefined}
            onClick={() => change({ outcome: each === "all" ? undefined : each, cursor: undefined })}
          >
            {each === "all" ? "All" : outcomeLabel(each, operation.action)}
            <b>{formatCount(countOf(bulk.counts, each))}</b>
          </button>
        ))}
      </nav>
      {failure !== null && (
        <ErrorNote title="The items could not be read." error={failure} onRetry={() => void refetch()} />
      )}
      {items?.length === 0 && cursor !== undefined && !areItemsGone(bulk) ? (
        <EmptyPage onFirst={() => change({ cursor: undefined })} />
      ) : items?.length === 0 ? (
        <EmptyState small title={emptyWords(tab, bulk)} />
      ) : (
        (items !== undefined || failure === null) && (
          <ItemTable outbox={operation.outbox} action={operation.action} items={items} />
        )
      )}
      <Paging cursor={cursor} nextCursor={data?.nextCursor ?? null} onGo={(next) => change({ cursor: next })} />
    </Panel>
  );
}

function emptyWords(tab: ItemTab, bulk: Bulk): string {
  if (areItemsGone(bulk)) return "The items of this operation were deleted when their retention ended.";
  return tab === "all" ? "No item is written yet." : OUTCOME_LOOKS[tab].empty;
}
