"use client";

import dynamic from "next/dynamic";
import { useEffect } from "react";
import { useLive } from "#components/live/live-provider.tsx";
import type { ConfirmDialogProps } from "./confirm-modal.tsx";

/** Dialogs are rare and their script is large, so it loads with the first one. */
const ConfirmModal = dynamic(() => import("./confirm-modal.tsx").then((module) => module.ConfirmModal), { ssr: false });

/** Asks for a reason before anything changes. Live refresh is held while it is open. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { holdRefresh } = useLive();
  useEffect(() => (props.opened ? holdRefresh("a dialog is open") : undefined), [props.opened, holdRefresh]);
  return props.opened ? <ConfirmModal {...props} /> : null;
}
