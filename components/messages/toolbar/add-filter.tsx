"use client";

import { IconPlus } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { FilterField } from "#components/filters/message-filters.ts";
import tools from "#components/lists/tool.module.css";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import css from "./filter-bar.module.css";

/** The form's script loads when the user reaches for the button, not with the page. */
const FilterPopover = lazyDialog(() => import("./filter-popover.tsx").then((module) => module.FilterPopover));

export function AddFilter({ onAdd }: { onAdd: (field: FilterField, value: string) => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);

  function close() {
    setOpened(false);
    button.current?.focus();
  }

  return (
    <span className={tools.anchor} data-press="filter">
      <button
        ref={button}
        type="button"
        className={css.quiet}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onPointerEnter={FilterPopover.preload}
        onFocus={FilterPopover.preload}
        onClick={() => setOpened(!opened)}
      >
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
