"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import css from "./hint.module.css";

/** The bubble's script loads when the user first reaches for the explained element. */
const HintBubble = dynamic(() => import("./hint-bubble.tsx").then((module) => module.HintBubble), { ssr: false });

interface HintProps {
  /** undefined: no hint. */
  text: string | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A hint over a control, for mouse, keyboard and touch; screen readers need a separate `aria-describedby`. */
export function Hint({ text, className, children }: HintProps) {
  const [shown, setShown] = useState(false);
  const show = () => setShown(true);
  const hide = () => setShown(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only shows the hint; the control inside acts
    // biome-ignore lint/a11y/useKeyWithClickEvents: focus shows the hint to keyboard users
    <span
      className={className === undefined ? css.anchor : `${css.anchor} ${className}`}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onClick={show}
    >
      {children}
      {shown && text !== undefined && <HintBubble text={text} />}
    </span>
  );
}
