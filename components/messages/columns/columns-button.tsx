"use client";

import { IconColumns3 } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { ToolButton } from "#components/lists/tool-button.tsx";
import type { Columns } from "./use-columns.ts";

const load = () => import("./columns-popover.tsx").then((module) => module.ColumnsPopover);
const ColumnsPopover = dynamic(load, { ssr: false });

export function ColumnsButton({ columns }: { columns: Columns }) {
  return (
    <ToolButton icon={<IconColumns3 size={14} aria-hidden />} label="Columns" press="columns" load={load}>
      {(close) => <ColumnsPopover columns={columns} onClose={close} />}
    </ToolButton>
  );
}
