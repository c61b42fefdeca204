"use client";

import { IconColumns3 } from "@tabler/icons-react";
import { ToolButton } from "#components/lists/tool-button.tsx";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import type { Columns } from "./use-columns.ts";

const ColumnsPopover = lazyDialog(() => import("./columns-popover.tsx").then((module) => module.ColumnsPopover));

export function ColumnsButton({ columns }: { columns: Columns }) {
  return (
    <ToolButton
      icon={<IconColumns3 size={14} aria-hidden />}
      label="Columns"
      press="columns"
      load={ColumnsPopover.preload}
    >
      {(close) => <ColumnsPopover columns={columns} onClose={close} />}
    </ToolButton>
  );
}
