"use client";

import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { type ShownToast, type ToastTone, toastStore } from "./toast-store.ts";
import css from "./toasts.module.css";

const SHOWN_MS: Record<ToastTone, number> = { ok: 6_000, warn: 12_000, bad: 12_000, refused: 6_000 };
const ICONS: Record<ToastTone, ReactNode> = {
  ok: <IconCheck size={16} aria-hidden />,
  warn: <IconInfoCircle size={16} aria-hidden />,
  bad: <IconAlertTriangle size={16} aria-hidden />,
  refused: <IconInfoCircle size={16} aria-hidden />,
};
const NONE: readonly ShownToast[] = [];

/**
 * The corner where toasts appear. Part of every page's script and present from the start: it reports scripts that
 * cannot be loaded, and screen readers announce only what is added to a region that they know.
 */
export function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read, () => NONE);
  return (
    <div className={css.corner} aria-live="polite" data-testid="toasts">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastCard({ toast: { id, tone, title, message } }: { toast: ShownToast }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => toastStore.remove(id), SHOWN_MS[tone]);
    return () => clearTimeout(timer);
  }, [held, id, tone]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a toast stays while it is read or its button has the focus
    <div
      className={css.toast}
      data-tone={tone}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {ICONS[tone]}
      <p className={css.text}>
        {title !== undefined && <strong>{title} </strong>}
        {message}
      </p>
      <button type="button" className={css.close} aria-label="Dismiss" onClick={() => toastStore.remove(id)}>
        <IconX size={14} aria-hidden />
      </button>
    </div>
  );
}
