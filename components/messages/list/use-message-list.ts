"use client";

import { useQuery } from "@tanstack/react-query";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import type { MessageList, MessageSummary } from "#contracts/message/messages.ts";
import { type ListAddress, messagesQuery } from "./messages-query.ts";
import { type HeldRows, useHeldRows } from "./use-held-rows.ts";

export interface HeldList extends HeldRows<MessageSummary> {
  list: MessageList | undefined;
  loading: boolean;
  error: Error | null;
  /** Browser time of the last answer. */
  retry: () => void;
}

/** The list of an address, kept in place while it is viewed. */
export function useMessageList(address: ListAddress, enabled: boolean): HeldList {
  const options = messagesQuery(address);
  const failure = useFailure(options.queryKey);
  const query = useQuery({ ...options, ...liveOptions(useLive()), enabled });
  const held = useHeldRows(JSON.stringify(options.queryKey), query);
  return {
    ...held,
    list: query.data,
    loading: query.data === undefined && failure === null,
    error: failure,
    retry: () => void query.refetch(),
  };
}
