"use client";

import { type ReactNode, useRef, useState } from "react";
import css from "./tool.module.css";

interface ToolButtonProps {
  icon: ReactNode;
  label: string;
  /** Name by which a key presses it. */
  press: string;
  /** Loads the script of what it opens. */
  load: () => unknown;
  children: (close: () => void) => ReactNode;
}

/** A button of the toolbar; what it opens is loaded when the user reaches for it. */
export function ToolButton({ icon, label, press, load, children }: ToolButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);

  function close() {
    setOpened(false);
    button.current?.focus();
  }

  return (
    <span className={css.anchor} data-press={press}>
      <button
        ref={button}
        type="button"
        className={css.tool}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onPointerEnter={load}
        onFocus={load}
        onClick={() => setOpened(!opened)}
      >
        {icon}
        <span>{label}</span>
      </button>
      {opened && children(close)}
    </span>
  );
}

/** Presses the button of a name, for its key. */
export function pressTool(name: string, within: ParentNode = document): void {
  within.querySelector<HTMLElement>(`[data-press="${name}"] button`)?.click();
}
