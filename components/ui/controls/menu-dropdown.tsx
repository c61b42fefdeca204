"use client";

import { Menu } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import css from "./menu-button.module.css";

export interface MenuEntry {
  label: ReactNode;
  /** Key of the entry; its label if that is text. */
  key?: string;
  icon?: ReactNode;
  right?: ReactNode;
  /** Shown with a tick. */
  current?: boolean;
  /** Draws a line above it. */
  divided?: boolean;
  disabled?: boolean;
  /** A keyboard entry, hidden on phones. */
  hideOnPhone?: boolean;
  onSelect?: () => void;
}

interface MenuDropdownProps {
  entries: readonly MenuEntry[];
  heading: string | undefined;
  position: "bottom-start" | "bottom-end";
  width: number | "target";
  onClose: () => void;
}

/** The menu itself, anchored to an empty box over its button. */
export function MenuDropdown({ entries, heading, position, width, onClose }: MenuDropdownProps) {
  const ticked = entries.some((entry) => entry.current !== undefined);
  return (
    <Menu
      opened
      onClose={onClose}
      position={position}
      width={width}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <span className={css.cover} aria-hidden />
      </Menu.Target>
      <Menu.Dropdown>
        {heading !== undefined && <Menu.Label>{heading}</Menu.Label>}
        {entries.map((entry, index) => (
          <MenuRow key={entry.key ?? String(entry.label)} entry={entry} ticked={ticked} focused={index === 0} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function MenuRow({ entry, ticked, focused }: { entry: MenuEntry; ticked: boolean; focused: boolean }) {
  const tick = entry.current ? <IconCheck size={13} aria-hidden /> : <span className={css.blank} />;
  return (
    <>
      {entry.divided && <Menu.Divider />}
      <Menu.Item
        className={entry.hideOnPhone ? "hide-on-phone" : undefined}
        leftSection={entry.icon ?? (ticked ? tick : undefined)}
        rightSection={entry.right}
        disabled={entry.disabled}
        aria-current={entry.current || undefined}
        onClick={entry.onSelect}
        data-autofocus={focused || undefined}
      >
        {entry.label}
      </Menu.Item>
    </>
  );
}
