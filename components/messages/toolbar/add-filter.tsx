"use client";

import { IconPlus } from "@tabler/icons-react";
import type { FilterField } from "#components/filters/message-filters.ts";
import tools from "#components/lists/tool.module.css";
import { useAnchored } from "#components/ui/controls/use-anchored.ts";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import css from "./filter-bar.module.css";

/** The form's script loads when the user reaches for the button, not with the page. */
const FilterPopover = lazyDialog(() => import("./filter-popover.tsx").then((module) => module.FilterPopover));

export function AddFilter({ onAdd }: { onAdd: (field: FilterField, value: string) => void }) {
  const { opened, close, props: opens } = useAnchored(FilterPopover.preload);
  return (
    <span className={tools.anchor} data-press="filter">
      <button {...opens} className={css.quiet} aria-haspopup="dialog">
        <IconPlus size={12} aria-hidden /> filter
      </button>
      {opened && (
        <FilterPopover
          onClose={close}
          onAdd={(field, value) => {
            onAdd(field, value);
            close();
          }}
        />
      )}
    </span>
  );
}
