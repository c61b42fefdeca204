"use client";

import { type ComponentType, useEffect, useLayoutEffect, useRef, useState } from "react";
import { toast } from "../notices/toast.ts";
import css from "./lazy-dialog.module.css";
import { LazyScript } from "./lazy-script.ts";
import { useScript } from "./use-script.ts";

const NOT_LOADED =
  "What you asked for could not be loaded: the console's server does not answer, or it was upgraded. Try again, or reload the page.";

interface Closable {
  /** `changed`: the dialog has changed something. */
  onClose: (changed: boolean) => void;
  /** What was typed while scripts loaded, its own or that of a dialog around it, for one that begins with a field. */
  typed?: string;
}

/**
 * A dialog, menu or popover whose script loads with its first use. It opens when the script arrives. Until then it
 * holds the keyboard, so that what is typed for it does not act on the page behind; if the script does not arrive, the
 * page says so and closes it.
 */
export function lazyDialog<Props extends Closable>(request: () => Promise<ComponentType<Props>>) {
  const script = new LazyScript(request);
  function Dialog(props: Props) {
    useFocusReturn();
    const { Component, failed } = useScript(script);
    const { onClose } = props;
    const typed = useRef("");
    // biome-ignore lint/correctness/useExhaustiveDependencies: a failure is reported once, whatever closes it by then
    useEffect(() => {
      if (!failed) return;
      toast.failed({ message: NOT_LOADED });
      onClose(false);
    }, [failed]);
    if (Component !== undefined) return <Component {...props} typed={(props.typed ?? "") + typed.current} />;
    return failed ? null : <Opening typed={typed} onCancel={() => onClose(false)} />;
  }
  return Object.assign(Dialog, { preload: script.preload });
}

/** Dialogs that are mounted opened do not know what had the focus before. What closes one may move it elsewhere. */
function useFocusReturn(): void {
  const [before] = useState(() => (typeof document === "undefined" ? null : document.activeElement));
  useLayoutEffect(
    () => () => {
      // Once the dialog is out of the document.
      queueMicrotask(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement)
          before.focus({ preventScroll: true });
      });
    },
    [before],
  );
}

/** Stands for the dialog while its script loads; visible only where that takes long. */
function Opening({ typed, onCancel }: { typed: { current: string }; onCancel: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  const cancel = useRef(onCancel);
  cancel.current = onCancel;

  // Before the dialog itself looks where the focus was.
  useLayoutEffect(() => {
    const before = document.activeElement;
    box.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <div
      ref={box}
      className={css.opening}
      role="dialog"
      aria-modal="true"
      aria-busy="true"
      aria-label="Opening"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Tab") event.preventDefault();
        if (event.key.length === 1 && !event.metaKey && !event.ctrlKey) typed.current += event.key;
        if (event.key === "Backspace") typed.current = typed.current.slice(0, -1);
        if (event.key !== "Escape") return;
        event.preventDefault();
        cancel.current();
      }}
    >
      Opening…
    </div>
  );
}
