"use client";

import { Menu } from "@mantine/core";
import { IconCheck, IconChevronDown } from "@tabler/icons-react";
import { formatLocalTime, formatUtcTime } from "#components/ui/format-instant.ts";
import css from "./live-indicator.module.css";
import { LIVE_INTERVALS_MS, type Live, useLive } from "./live-provider.tsx";
import type { LiveState } from "./live-state.ts";
import { useLiveState } from "./use-live-state.ts";

const WORDS: Record<LiveState, string> = {
  connecting: "Connecting",
  live: "Live",
  paused: "Paused",
  stale: "Stale",
  disconnected: "Disconnected",
};

/** Dot, word and pace; the menu changes the pace. Says live, paused, stale or disconnected, never nothing. */
export function LiveIndicator() {
  const live = useLive();
  const { state, facts } = useLiveState();
  return (
    <div className={css.live}>
      <Menu position="bottom-end" width={190}>
        <Menu.Target>
          <button type="button" className={css.button} data-state={state} title={titleOf(live, state, facts.failure)}>
            <span className={css.dot} aria-hidden />
            <span aria-live="polite">{WORDS[state]}</span>
            {state === "live" && <span>, {live.intervalMs / 1000} s</span>}
            <IconChevronDown size={12} aria-hidden className={css.chevron} />
          </button>
        </Menu.Target>
        <PaceMenu live={live} />
      </Menu>
      <span className={css.asOf}>{facts.asOf === undefined ? "" : <AsOf at={facts.asOf} />}</span>
    </div>
  );
}

/** "as of 03:05:14 UTC · 04:05 local". */
export function AsOf({ at }: { at: string }) {
  return (
    <time dateTime={at} suppressHydrationWarning>
      as of {formatUtcTime(at)} UTC · {formatLocalTime(at)} local
    </time>
  );
}

function PaceMenu({ live }: { live: Live }) {
  const pausedByUser = live.pauseReasons.includes("paused by you");
  const check = (on: boolean) => (on ? <IconCheck size={13} aria-hidden /> : <span className={css.blank} />);
  return (
    <Menu.Dropdown>
      <Menu.Item leftSection={check(pausedByUser)} onClick={() => live.setInterval(undefined)}>
        Pause
      </Menu.Item>
      {LIVE_INTERVALS_MS.map((intervalMs) => (
        <Menu.Item
          key={intervalMs}
          leftSection={check(!pausedByUser && live.intervalMs === intervalMs)}
          onClick={() => live.setInterval(intervalMs)}
        >
          Every {intervalMs === 60_000 ? "minute" : intervalMs === 1_000 ? "second" : `${intervalMs / 1000} s`}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<span className={css.blank} />} onClick={live.refreshNow}>
        Refresh now
      </Menu.Item>
    </Menu.Dropdown>
  );
}

function titleOf(live: Live, state: LiveState, failure: string | undefined): string {
  if (state === "paused") return `Paused: ${live.pauseReasons.join(", ")}`;
  if (state === "disconnected") return failure ?? "The server does not answer";
  if (state === "stale") return "No answer for three refreshes";
  return "How often the figures are read again";
}
