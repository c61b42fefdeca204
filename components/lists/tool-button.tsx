"use client";

import type { ReactNode } from "react";
import { useAnchored } from "#components/ui/controls/use-anchored.ts";
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
  const { opened, close, props: opens } = useAnchored(load);

  return (
    <span className={css.anchor} data-press={press}>
      <button {...opens} className={css.tool} aria-haspopup="dialog">
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
