"use client";

import type { FilterField } from "#components/filters/message-filters.ts";
import { ToolPopover } from "#components/lists/tool-popover.tsx";
import { FilterForm } from "./filter-form.tsx";

interface FilterPopoverProps {
  onAdd: (field: FilterField, value: string) => void;
  onClose: () => void;
  typed?: string;
}

export function FilterPopover({ onAdd, onClose, typed = "" }: FilterPopoverProps) {
  return (
    <ToolPopover label="Add a filter" width={280} position="bottom-start" onClose={onClose}>
      <FilterForm typed={typed} onAdd={onAdd} />
    </ToolPopover>
  );
}
