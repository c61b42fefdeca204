"use client";

import { Popover } from "@mantine/core";
import type { FilterField } from "#components/filters/message-filters.ts";
import tools from "#components/lists/tool.module.css";
import { FilterForm } from "./filter-form.tsx";

interface FilterPopoverProps {
  onAdd: (field: FilterField, value: string) => void;
  onClose: () => void;
}

/** The form, anchored to an empty box over its button. */
export function FilterPopover({ onAdd, onClose }: FilterPopoverProps) {
  return (
    <Popover opened onChange={(opened) => !opened && onClose()} trapFocus position="bottom-start" width={280}>
      <Popover.Target>
        <span className={tools.cover} aria-hidden />
      </Popover.Target>
      <Popover.Dropdown p={12} aria-label="Add a filter">
        <FilterForm onAdd={onAdd} />
      </Popover.Dropdown>
    </Popover>
  );
}
