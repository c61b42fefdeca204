"use client";

import { Checkbox } from "@mantine/core";
import { isDefault, LIST_COLUMNS, toggleColumn } from "#components/lists/list-columns.ts";
import { ToolPopover } from "#components/lists/tool-popover.tsx";
import css from "../toolbar/filter-bar.module.css";
import type { Columns } from "./use-columns.ts";

/** One tick for each column; kept in this browser. */
export function ColumnsPopover({ columns, onClose }: { columns: Columns; onClose: () => void }) {
  const { shown, choose } = columns;
  return (
    <ToolPopover label="Columns" width={210} onClose={onClose}>
      <p className={css.heading}>Columns, kept in this browser</p>
      <div className={css.choices}>
        {LIST_COLUMNS.map(({ key, label }) => (
          <Checkbox
            key={key}
            label={label}
            checked={shown.includes(key)}
            disabled={shown.length === 1 && shown.includes(key)}
            onChange={() => choose(toggleColumn(shown, key))}
          />
        ))}
      </div>
      <button
        type="button"
        className={css.wide}
        disabled={isDefault(shown)}
        onClick={() => {
          choose(undefined);
          onClose();
        }}
      >
        Back to the default
      </button>
    </ToolPopover>
  );
}
