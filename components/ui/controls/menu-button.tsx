"use client";

import type { ReactNode } from "react";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import css from "./menu-button.module.css";
import type { MenuEntry } from "./menu-dropdown.tsx";
import { useAnchored } from "./use-anchored.ts";

/** The menu's script loads when the user reaches for the button, not with the page. */
const MenuDropdown = lazyDialog(() => import("./menu-dropdown.tsx").then((module) => module.MenuDropdown));

interface MenuButtonProps {
  /** Contents of the button. */
  children: ReactNode;
  className?: string | undefined;
  /** Required when the contents are only an icon. */
  label?: string | undefined;
  title?: string | undefined;
  state?: string | undefined;
  entries: readonly MenuEntry[];
  /** A muted line at the top of the menu. */
  heading?: string | undefined;
  position?: "bottom-start" | "bottom-end";
  /** In px, or as wide as the button. */
  width?: number | "target";
}

/** A button that opens a menu; arrows, Home, End and Escape work inside it. */
export function MenuButton(props: MenuButtonProps) {
  const { children, entries, heading, position = "bottom-start", width = "target" } = props;
  const { opened, close, props: opens } = useAnchored(MenuDropdown.preload);
  return (
    <span className={css.anchor}>
      <button
        {...opens}
        className={props.className}
        aria-label={props.label}
        title={props.title}
        data-state={props.state}
        aria-haspopup="menu"
      >
        {children}
      </button>
      {opened && <MenuDropdown entries={entries} heading={heading} position={position} width={width} onClose={close} />}
    </span>
  );
}
