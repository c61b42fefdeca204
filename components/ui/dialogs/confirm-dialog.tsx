"use client";

import { useEffect } from "react";
import { useLive } from "#components/live/live-provider.tsx";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import type { ConfirmDialogProps } from "./confirm-modal.tsx";

/** Dialogs are rare and their script is large, so it loads with the first one. */
const ConfirmModal = lazyDialog(() => import("./confirm-modal.tsx").then((module) => module.ConfirmModal));

/** Asks for a reason before anything changes. Live refresh is held while it is open. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { holdRefresh } = useLive();
  useEffect(() => (props.opened ? holdRefresh("a dialog is open") : undefined), [props.opened, holdRefresh]);
  return props.opened ? <ConfirmModal {...props} /> : null;
}
