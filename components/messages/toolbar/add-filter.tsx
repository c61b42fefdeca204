"use client";

import { IconPlus } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import type { FilterField } from "#components/filters/message-filters.ts";
import tools from "#components/lists/tool.module.css";
import css from "./filter-bar.module.css";

/** The form's script loads when the user reaches for the button, not with the page. */
const loadPopover = () => import("./filter-popover.tsx").then((module) => module.FilterPopover);
const FilterPopover = dynamic(loadPopover, { ssr: false });

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
        onPointerEnter={() => void loadPopover()}
        onFocus={() => void loadPopover()}
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
