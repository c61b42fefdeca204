"use client";

import { useQuery } from "@tanstack/react-query";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useCallback } from "react";
import { outboxesQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import type { OutboxList, OutboxSummary } from "#contracts/outboxes.ts";
import { outboxHref } from "./outbox-href.ts";

const OUTBOXES_PACE_MS = 5_000;

export interface CurrentOutbox {
  /** Name in the address, else the first outbox; undefined before the first answer and when there is none. */
  name: string | undefined;
  outbox: OutboxSummary | undefined;
  list: OutboxList | undefined;
  isPending: boolean;
  error: Error | null;
  retry: () => Promise<unknown>;
  /** Path inside the console that stays with this outbox. */
  href: (path: string, params?: Record<string, string | undefined>) => string;
  /** Same page, another outbox; filters of the old one are dropped. */
  select: (name: string) => void;
}

/** Refreshes the list; called once, by the shell: every observer with an interval would be one more timer. */
export function useOutboxesRefresh(): void {
  useQuery({ ...outboxesQuery(), ...liveOptions(useLive(), { atLeastMs: OUTBOXES_PACE_MS }) });
}

/** Which outbox the page is about. Every part of a page may call it: the list is fetched once. */
export function useOutbox(): CurrentOutbox {
  const inAddress = useSearchParams().get("outbox") ?? undefined;
  const pathname = usePathname();
  const router = useRouter();
  const query = useQuery({ ...outboxesQuery(), staleTime: OUTBOXES_PACE_MS });
  const name = inAddress ?? query.data?.outboxes[0]?.name;
  const href = useCallback<CurrentOutbox["href"]>((path, params) => outboxHref(path, name, params), [name]);
  const select = useCallback<CurrentOutbox["select"]>(
    (chosen) => router.push(outboxHref(sectionOf(pathname), chosen)),
    [router, pathname],
  );
  return {
    name,
    outbox: query.data?.outboxes.find((candidate) => candidate.name === name),
    list: query.data,
    isPending: query.isPending,
    error: query.error,
    retry: query.refetch,
    href,
    select,
  };
}

/** A page about one message means nothing in another outbox: its list does. */
function sectionOf(pathname: string): string {
  return `/${pathname.split("/")[1] ?? ""}`;
}
