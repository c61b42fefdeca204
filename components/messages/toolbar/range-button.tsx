"use client";

import { IconCalendar, IconChevronDown } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { MessageFilters } from "#components/filters/message-filters.ts";
import { describeRange } from "#components/filters/time-range.ts";
import tools from "#components/lists/tool.module.css";
import { useServerNow } from "#components/live/use-now.ts";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";

/** The form's script loads when the user reaches for the button, not with the page. */
const RangePopover = lazyDialog(() => import("./range-popover.tsx").then((module) => module.RangePopover));

interface RangeButtonProps {
  filters: MessageFilters;
  onChange: (filters: MessageFilters) => void;
}

/** When the messages were created: "Any time", "Last 1 h", "03:00:00 to now". */
export function RangeButton({ filters, onChange }: RangeButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  const nowMs = useServerNow();
  const text = describeRange(filters, nowMs);
  const bounded = text !== "Any time";

  function close() {
    setOpened(false);
    button.current?.focus();
  }

  return (
    <span className={tools.anchor} data-press="range">
      <button
        ref={button}
        type="button"
        className={tools.tool}
        aria-haspopup="dialog"
        aria-expanded={opened}
        aria-label={`Created: ${text}`}
        title={titleOf(filters)}
        onPointerEnter={RangePopover.preload}
        onFocus={RangePopover.preload}
        onClick={() => setOpened(!opened)}
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
