import { type MouseEvent, useRef, useState } from "react";

/**
 * What a button opens beside itself, and the props of the button. Pressing it closes what is open: the press counts as
 * one outside, which closes it at once, so the click that follows must not open it again.
 */
export function useAnchored(load: () => unknown) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  const openAtPress = useRef(false);

  function close() {
    setOpened(false);
    button.current?.focus();
  }

  const props = {
    ref: button,
    type: "button" as const,
    "aria-expanded": opened,
    onPointerEnter: load,
    onFocus: load,
    onPointerDown: () => {
      openAtPress.current = opened;
    },
    onClick: ({ detail }: MouseEvent) => {
      const byKey = detail === 0;
      setOpened(!(byKey ? opened : openAtPress.current));
    },
  };
  return { opened, close, props };
}
