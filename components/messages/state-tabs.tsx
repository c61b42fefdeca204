"use client";

import type { MouseEvent } from "react";
import type { MessageFilters, MessageTab } from "#components/filters/message-filters.ts";
import { formatFigure } from "#components/ui/format/format-figure.ts";
import { Figure } from "#components/ui/values/figure.tsx";
import { listTabs, type TabCounts } from "./list/tabs.ts";
import css from "./state-tabs.module.css";

interface StateTabsProps {
  filters: MessageFilters;
  counts: TabCounts;
  hrefOf: (filters: MessageFilters) => string;
  onChoose: (filters: MessageFilters) => void;
}

const NOT_COUNTED =
  "Not counted: no index serves these filters in this state. The list says which one would, or how to narrow it.";

/** One link per state with its count; the other filters are kept. */
export function StateTabs({ filters, counts, hrefOf, onChoose }: StateTabsProps) {
  function choose(event: MouseEvent, state: MessageTab) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onChoose({ ...filters, state });
  }
  const isFiltered = Object.keys(filters.fields).length > 0;
  return (
    <nav className={css.tabs} aria-label="Messages by state">
      {listTabs(counts, filters.state).map(({ tab, label, count }) => (
        <a
          key={tab}
          className={css.tab}
          href={hrefOf({ ...filters, state: tab })}
          aria-current={tab === filters.state ? "page" : undefined}
          data-state={tab}
          onClick={(event) => choose(event, tab)}
        >
          {label}
          {isFiltered && count?.precision === "unknown" ? (
            <b title={NOT_COUNTED}>{formatFigure(count)}</b>
          ) : (
            <b>{count === undefined ? " " : <Figure {...count} />}</b>
          )}
        </a>
      ))}
    </nav>
  );
}
