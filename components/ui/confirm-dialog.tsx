"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useEffect } from "react";
import { useLive } from "#components/live/live-provider.tsx";

/** Dialogs are rare and their script is large: it comes with the first question. */
const ConfirmModal = dynamic(() => import("./confirm-modal.tsx").then((module) => module.ConfirmModal), { ssr: false });

export interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The verb with its object: "Retry 3 messages". */
  title: string;
  /** What will happen, and what will not, in a sentence or two. */
  consequence: ReactNode;
  /** How many messages are touched; above 1,000 the number has to be typed. Left out for what is not about messages. */
  count?: number;
  confirmLabel: string;
  /** Red for what cannot be taken back. */
  danger?: boolean;
  pending?: boolean;
  error?: unknown;
  onConfirm: (reason: string) => void;
  children?: ReactNode;
}

/** Asks for a reason before anything changes. Live refresh is held while it is open. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { holdRefresh } = useLive();
  useEffect(() => (props.opened ? holdRefresh("a dialog is open") : undefined), [props.opened, holdRefresh]);
  return props.opened ? <ConfirmModal {...props} /> : null;
}
