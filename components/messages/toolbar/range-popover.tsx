"use client";

import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { MessageFilters } from "#components/filters/message-filters.ts";
import { RANGES } from "#components/filters/ranges.ts";
import { fromFieldValue, toFieldValue, withBounds, withRange } from "#components/filters/time-range.ts";
import { ToolPopover } from "#components/lists/tool-popover.tsx";
import { useServerNow } from "#components/live/use-now.ts";
import css from "./filter-bar.module.css";

interface RangePopoverProps {
  filters: MessageFilters;
  onChange: (filters: MessageFilters) => void;
  onClose: () => void;
}

/** Ranges that end now, then two fields for any other, in UTC. */
export function RangePopover({ filters, onChange, onClose }: RangePopoverProps) {
  const nowMs = useServerNow();
  const [from, setFrom] = useState(toFieldValue(filters.fields.from));
  const [to, setTo] = useState(toFieldValue(filters.fields.to));
  const backwards = from !== "" && to !== "" && from >= to;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!backwards) onChange(withBounds(filters, fromFieldValue(from), fromFieldValue(to)));
  }

  return (
    <ToolPopover label="When the messages were created" width={260} position="bottom-start" onClose={onClose}>
      <div className={css.ranges}>
        {RANGES.map(({ key, label }) => (
          <button
            key={key}
            type="button"
            className={css.rangeChoice}
            aria-pressed={filters.last === key}
            onClick={() => onChange(withRange(filters, key, nowMs))}
          >
            {label}
          </button>
        ))}
        <button
          type="button"
          className={css.rangeChoice}
          onClick={() => onChange(withBounds(filters, undefined, undefined))}
        >
          Any time
        </button>
      </div>
      <form className={css.popover} onSubmit={submit}>
        <TextInput
          type="datetime-local"
          step={1}
          label="From, UTC"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          step={1}
          label="Before, UTC; empty is now"
          value={to}
          error={backwards ? "must be later than the beginning" : undefined}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Button type="submit" variant="filled" aria-disabled={backwards || (from === "" && to === "")}>
          Show
        </Button>
      </form>
    </ToolPopover>
  );
}
