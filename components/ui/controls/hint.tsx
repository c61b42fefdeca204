"use client";

import { type ReactNode, useState } from "react";
import { lazyPart } from "#components/ui/lazy/lazy-part.tsx";
import css from "./hint.module.css";

/** The bubble's script loads when the user first reaches for the explained element. */
const HintBubble = lazyPart(() => import("./hint-bubble.tsx").then((module) => module.HintBubble));

interface HintProps {
  /** undefined: no hint. */
  text: string | undefined;
  children: ReactNode;
}

/**
 * A hint over a control for those who reach for it with the mouse or the keyboard; a press hides it, as its answer is
 * said elsewhere. Screen readers need a separate `aria-describedby`.
 */
export function Hint({ text, children }: HintProps) {
  const [shown, setShown] = useState(false);
  const show = () => setShown(true);
  const hide = () => setShown(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only shows the hint; the control inside acts
    // biome-ignore lint/a11y/useKeyWithClickEvents: focus shows the hint to keyboard users
    <span
      className={css.anchor}
      onPointerEnter={(event) => event.pointerType === "mouse" && show()}
      onPointerLeave={hide}
      onFocus={(event) => event.target.matches(":focus-visible") && show()}
      onBlur={hide}
      onClick={hide}
    >
      {children}
      {shown && text !== undefined && <HintBubble text={text} />}
    </span>
  );
}
