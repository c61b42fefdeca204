"use client";

import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { useRelayCommand } from "./use-relay-command.ts";

export function ResumeDialog({ outbox, onClose }: { outbox: string; onClose: () => void }) {
  const send = useRelayCommand<{ reason: string }>(outbox, "resume", `${outbox} is resumed.`, onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Resume ${outbox}`}
      consequence="The relay publishes what waits, oldest first, in order per aggregate."
      confirmLabel="Resume"
      pending={send.isPending}
      error={send.error}
      onConfirm={(reason) => send.mutate({ reason })}
    />
  );
}
