"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import css from "./hint.module.css";

/** The bubble's script is fetched when someone first reaches for what it explains. */
const HintBubble = dynamic(() => import("./hint-bubble.tsx").then((module) => module.HintBubble), { ssr: false });

interface HintProps {
  /** undefined: there is nothing to explain. */
  text: string | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** Words over a control, for the mouse, the keyboard and a finger; a screen reader needs its own `aria-describedby`. */
export function Hint({ text, className, children }: HintProps) {
  const [shown, setShown] = useState(false);
  const show = () => setShown(true);
  const hide = () => setShown(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches; the control inside does the acting
    // biome-ignore lint/a11y/useKeyWithClickEvents: the focus shows the words to the keyboard
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
