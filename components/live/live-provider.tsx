"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { readStored, writeStored } from "#components/ui/page/stored.ts";
import { LiveStore } from "./live-store.ts";
import { usePageHidden } from "./use-page-hidden.ts";
import { refreshLive, watchQueries } from "./watch-queries.ts";

export const LIVE_INTERVALS_MS = [1_000, 2_000, 5_000, 15_000, 60_000] as const;
const DEFAULT_INTERVAL_MS = 2_000;
const STORAGE_KEY = "outbox-console.refresh";

export interface Live {
  /** The chosen interval in ms, also while paused. */
  intervalMs: number;
  paused: boolean;
  /** Text for the user: "paused by you", "rows are selected", "a dialog is open", "tab is hidden". */
  pauseReasons: readonly string[];
  /** Holds refresh until the returned function is called; use it while rows are selected or a dialog is open. */
  holdRefresh: (reason: string) => () => void;
  /** undefined pauses. */
  setInterval: (intervalMs: number | undefined) => void;
  refreshNow: () => void;
  store: LiveStore;
}

const LiveContext = createContext<Live | undefined>(undefined);

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error("useLive needs a LiveProvider above it.");
  return live;
}

export function LiveProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [store] = useState(() => new LiveStore());
  const [setting, setSetting] = useStoredInterval();
  const { holds, holdRefresh } = useHolds();
  const hidden = usePageHidden();

  useEffect(() => watchQueries(queryClient.getQueryCache(), store), [queryClient, store]);

  const refreshNow = useCallback(() => refreshLive(queryClient), [queryClient]);

  const live = useMemo<Live>(() => {
    const reasons = [
      ...(setting.paused ? ["paused by you"] : []),
      ...new Set(holds),
      ...(hidden ? ["tab is hidden"] : []),
    ];
    return {
      intervalMs: setting.intervalMs,
      paused: reasons.length > 0,
      pauseReasons: reasons,
      holdRefresh,
      setInterval: setSetting,
      refreshNow,
      store,
    };
  }, [setting, holds, hidden, holdRefresh, setSetting, refreshNow, store]);

  useRefreshOnResume(live.paused, refreshNow);
  return <LiveContext value={live}>{children}</LiveContext>;
}

/** Returning to the tab or closing a dialog refreshes at once, not after an interval. */
function useRefreshOnResume(paused: boolean, refreshNow: () => void): void {
  const wasPaused = useRef(paused);
  useEffect(() => {
    if (wasPaused.current && !paused) refreshNow();
    wasPaused.current = paused;
  }, [paused, refreshNow]);
}

/** Every hold is a separate entry, so that two dialogs with the same reason release independently. */
function useHolds(): { holds: readonly string[]; holdRefresh: Live["holdRefresh"] } {
  const [entries, setEntries] = useState<readonly { reason: string }[]>([]);
  const holdRefresh = useCallback((reason: string) => {
    const entry = { reason };
    setEntries((current) => [...current, entry]);
    return () => setEntries((current) => current.filter((other) => other !== entry));
  }, []);
  return { holds: useMemo(() => entries.map((entry) => entry.reason), [entries]), holdRefresh };
}

function useStoredInterval(): [{ intervalMs: number; paused: boolean }, Live["setInterval"]] {
  const [setting, setSetting] = useState({ intervalMs: DEFAULT_INTERVAL_MS, paused: false });

  useEffect(() => {
    const stored = Number(readStored(STORAGE_KEY));
    if (LIVE_INTERVALS_MS.some((known) => known === stored)) setSetting({ intervalMs: stored, paused: false });
  }, []);

  const choose = useCallback((intervalMs: number | undefined) => {
    // A pause is not stored: a console that opened paused a week later would show old data.
    if (intervalMs !== undefined) writeStored(STORAGE_KEY, String(intervalMs));
    setSetting((current) => ({ intervalMs: intervalMs ?? current.intervalMs, paused: intervalMs === undefined }));
  }, []);
  return [setting, choose];
}
