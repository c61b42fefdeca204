"use client";

import { IconCalendar, IconChevronDown } from "@tabler/icons-react";
import type { MessageFilters } from "#components/filters/message-filters.ts";
import { describeRange } from "#components/filters/time-range.ts";
import tools from "#components/lists/tool.module.css";
import { useServerNow } from "#components/live/use-now.ts";
import { useAnchored } from "#components/ui/controls/use-anchored.ts";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";

/** The form's script loads when the user reaches for the button, not with the page. */
const RangePopover = lazyDialog(() => import("./range-popover.tsx").then((module) => module.RangePopover));

interface RangeButtonProps {
  filters: MessageFilters;
  onChange: (filters: MessageFilters) => void;
}

/** When the messages were created: "Any time", "Last 1 h", "03:00:00 to now". */
export function RangeButton({ filters, onChange }: RangeButtonProps) {
  const { opened, close, props: opens } = useAnchored(RangePopover.preload);
  const nowMs = useServerNow();
  const text = describeRange(filters, nowMs);
  const bounded = text !== "Any time";

  return (
    <span className={tools.anchor} data-press="range">
      <button
        {...opens}
        className={tools.tool}
        aria-haspopup="dialog"
        aria-label={`Created: ${text}`}
        title={titleOf(filters)}
      >
        <IconCalendar size={14} aria-hidden />
        <span>{text}</span>
        {bounded && filters.last === undefined && <span className="muted">UTC</span>}
        <IconChevronDown size={12} aria-hidden className={tools.chevron} />
      </button>
      {opened && (
        <RangePopover
          filters={filters}
          onClose={close}
          onChange={(next) => {
            onChange(next);
            close();
          }}
        />
      )}
    </span>
  );
}

function titleOf({ fields: { from, to } }: MessageFilters): string {
  if (from === undefined && to === undefined) return "Messages created at any time";
  return `Created ${from === undefined ? "" : `from ${from} `}${to === undefined ? "until now" : `before ${to}`}`;
}
