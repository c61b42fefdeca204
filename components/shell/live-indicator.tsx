"use client";

import { IconChevronDown } from "@tabler/icons-react";
import { LIVE_INTERVALS_MS, type Live, useLive } from "#components/live/live-provider.tsx";
import type { LiveState } from "#components/live/live-state.ts";
import { useLiveState } from "#components/live/use-live-state.ts";
import { useServerNow } from "#components/live/use-now.ts";
import { MenuButton } from "#components/ui/controls/menu-button.tsx";
import type { MenuEntry } from "#components/ui/controls/menu-dropdown.tsx";
import { formatInstant, formatLocalTime } from "#components/ui/format/format-instant.ts";
import css from "./live-indicator.module.css";

const WORDS: Record<LiveState, string> = {
  connecting: "Connecting",
  live: "Live",
  paused: "Paused",
  stale: "Stale",
  in_part: "Live in part",
  disconnected: "Disconnected",
};

/**
 * State dot, word and refresh interval; its menu changes the interval. Always shows live, paused, stale, live in part
 * or disconnected.
 */
export function LiveIndicator() {
  const live = useLive();
  const { state, facts } = useLiveState();
  return (
    <div className={css.live}>
      <MenuButton
        className={css.button}
        state={state}
        title={titleOf(live, state, facts.failure)}
        entries={paceEntries(live)}
        position="bottom-end"
        width={180}
      >
        <span className={css.dot} aria-hidden />
        <span>{WORDS[state]}</span>
        {state === "live" && <span className="hide-on-phone">, {live.intervalMs / 1000} s</span>}
        <IconChevronDown size={12} aria-hidden className={css.chevron} />
      </MenuButton>
      {/* Beside the button: what is in a button is its name, and no live region. */}
      <span className="visually-hidden" aria-live="polite">
        {WORDS[state]}
      </span>
      <span className={css.asOf}>{facts.asOf === undefined ? "" : <AsOf at={facts.asOf} />}</span>
    </div>
  );
}

/** "as of 03:05:14 UTC · 04:05 local"; with the date of figures of another day. */
function AsOf({ at }: { at: string }) {
  const nowMs = useServerNow();
  return (
    <time dateTime={at} suppressHydrationWarning>
      as of {formatInstant(at, nowMs)} UTC · {formatLocalTime(at)} local
    </time>
  );
}

function paceEntries(live: Live): MenuEntry[] {
  const pausedByUser = live.pauseReasons.includes("paused by you");
  return [
    { label: "Pause", current: pausedByUser, onSelect: () => live.setInterval(undefined) },
    ...LIVE_INTERVALS_MS.map((intervalMs) => ({
      label:
        intervalMs === 60_000 ? "Every minute" : intervalMs === 1_000 ? "Every second" : `Every ${intervalMs / 1000} s`,
      current: !pausedByUser && live.intervalMs === intervalMs,
      onSelect: () => live.setInterval(intervalMs),
    })),
    { label: "Refresh now", current: false, divided: true, onSelect: live.refreshNow },
  ];
}

function titleOf(live: Live, state: LiveState, failure: string | undefined): string {
  if (state === "paused") return `Paused: ${live.pauseReasons.join(", ")}`;
  if (state === "in_part" || state === "disconnected") return failure ?? "The server does not answer";
  if (state === "stale") return "No answer for three refreshes";
  return "How often the figures refresh";
}
