"use client";

import { useQuery } from "@tanstack/react-query";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import { outboxesQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import type { OutboxList, OutboxSummary } from "#contracts/outbox/outboxes.ts";
import { outboxHref } from "./outbox-href.ts";

const OUTBOXES_PACE_MS = 5_000;

export interface CurrentOutbox {
  /**
   * Name in the address, otherwise the worst outbox; undefined before the first answer, when there is none, and on the
   * page of all outboxes.
   */
  name: string | undefined;
  /** The page covers all outboxes: `/` without an outbox in the address, where there are several. */
  fleet: boolean;
  outbox: OutboxSummary | undefined;
  list: OutboxList | undefined;
  isPending: boolean;
  error: Error | null;
  retry: () => Promise<unknown>;
  /** Path within the console that keeps this outbox. */
  href: (path: string, params?: Record<string, string | undefined>) => string;
  /** The same page for another outbox, without the old one's filters; without a name, all outboxes. */
  select: (name: string | undefined) => void;
}

/** Refreshes the list; called once, by the shell, because every observer with an interval adds a timer. */
export function useOutboxesRefresh(): void {
  useQuery({ ...outboxesQuery(), ...liveOptions(useLive(), { atLeastMs: OUTBOXES_PACE_MS }) });
}

/**
 * The list is sorted worst first, so its order changes. A page that opened on the first outbox keeps it by putting its
 * name into the address. Called once, by the shell.
 */
export function usePinnedOutbox(): void {
  const { name, list } = useOutbox();
  const params = useSearchParams();
  const pathname = usePathname();
  const pin = pathname !== "/" && name !== undefined && (list?.outboxes.length ?? 0) > 1 && !params.has("outbox");
  useEffect(() => {
    if (!pin || name === undefined) return;
    const search = new URLSearchParams(window.location.search);
    search.set("outbox", name);
    window.history.replaceState(null, "", `${window.location.pathname}?${search}${window.location.hash}`);
  }, [pin, name]);
}

/**
 * Key of what is about one outbox: another outbox begins a new page, so that no dialog, field or choice of the old one
 * is left over. It stays while the first answer only tells which outbox the page is about.
 */
export function useOutboxKey(): number {
  const { name } = useOutbox();
  const [last, setLast] = useState({ name, key: 0 });
  if (name !== undefined && name !== last.name)
    setLast({ name, key: last.name === undefined ? last.key : last.key + 1 });
  return last.key;
}

/** The page's outbox. Any part of a page may call this; the list is fetched once. */
export function useOutbox(): CurrentOutbox {
  const inAddress = useSearchParams().get("outbox") ?? undefined;
  const pathname = usePathname();
  const router = useRouter();
  const query = useQuery({ ...outboxesQuery(), staleTime: OUTBOXES_PACE_MS });
  const outboxes = query.data?.outboxes ?? [];
  const fleet = isFleet(pathname, inAddress, outboxes.length);
  const name = inAddress ?? (fleet ? undefined : outboxes[0]?.name);
  const href = useCallback<CurrentOutbox["href"]>((path, params) => outboxHref(path, name, params), [name]);
  const select = useCallback<CurrentOutbox["select"]>(
    (chosen) => router.push(chosen === undefined ? "/" : outboxHref(sectionOf(pathname), chosen)),
    [router, pathname],
  );
  return {
    name,
    fleet,
    outbox: outboxes.find((candidate) => candidate.name === name),
    list: query.data,
    isPending: query.isPending,
    error: useFailure(outboxesQuery().queryKey),
    retry: query.refetch,
    href,
    select,
  };
}

/** A single outbox has no page of all outboxes. */
function isFleet(pathname: string, inAddress: string | undefined, outboxes: number): boolean {
  return pathname === "/" && inAddress === undefined && outboxes > 1;
}

/** A page about one message has no counterpart in another outbox, so the list opens instead. */
function sectionOf(pathname: string): string {
  return `/${pathname.split("/")[1] ?? ""}`;
}
