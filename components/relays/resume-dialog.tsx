"use client";

import { ConfirmDialog } from "#components/ui/dialogs/confirm-dialog.tsx";
import type { ResumeRequest } from "#contracts/outbox/relays.ts";
import { type PauseSubject, subjectAtStart, subjectName } from "./pause-subject.ts";
import { useRelayCommand } from "./use-relay-command.ts";

interface ResumeDialogProps {
  outbox: string;
  subject?: PauseSubject;
  /** True when the relay itself holds the aggregate behind a dead message. */
  held?: boolean;
  onClose: () => void;
  typed?: string;
}

export function ResumeDialog({ outbox, subject = {}, held = false, onClose, typed }: ResumeDialogProps) {
  const name = subjectName(outbox, subject);
  const send = useRelayCommand<ResumeRequest>(
    outbox,
    "resume",
    `${subjectAtStart(outbox, subject)} is resumed.`,
    onClose,
  );
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Resume ${name}`}
      consequence={
        held
          ? "The messages behind the dead one are published without it. To publish it first, retry it instead."
          : "The relay publishes the waiting messages, oldest first and in order per aggregate."
      }
      confirmLabel="Resume"
      typed={typed}
      pending={send.isPending}
      error={send.error}
      onConfirm={(reason) => send.mutate({ reason, ...subject })}
    />
  );
}
