"use client";

import { Popover } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { useLive } from "#components/live/live-provider.tsx";
import css from "./tool.module.css";

interface ToolPopoverProps {
  label: string;
  width: number;
  position?: "bottom-start" | "bottom-end";
  onClose: () => void;
  children: ReactNode;
}

/** A small form, anchored to an empty box over its button. */
export function ToolPopover({ label, width, position = "bottom-end", onClose, children }: ToolPopoverProps) {
  const { holdRefresh } = useLive();
  useEffect(() => holdRefresh("a menu is open"), [holdRefresh]);
  return (
    <Popover opened onChange={(opened) => !opened && onClose()} trapFocus position={position} width={width}>
      <Popover.Target>
        <span className={css.cover} aria-hidden />
      </Popover.Target>
      <Popover.Dropdown p={12} aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
