"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiPost } from "#components/api/api-client.ts";
import { takeAnswer } from "#components/api/take-answer.ts";
import { ConfirmDialog } from "#components/ui/dialogs/confirm-dialog.tsx";
import { type Operation, operationSchema } from "#contracts/message/operations.ts";
import { type BulkCommand, canFailAgain } from "#domain/message/bulk-operation.ts";
import type { OperationAction } from "#domain/message/correction.ts";
import { operationPath, operationQuery } from "./queries/operation-queries.ts";

interface CommandWords {
  title: string;
  label: string;
  consequence: (action: OperationAction) => string;
  /** Where "Cancel" could be taken for the command itself. */
  closeLabel?: string;
}

const WORDS: Record<BulkCommand, CommandWords> = {
  pause: {
    title: "Pause this operation",
    label: "Pause",
    consequence: (action) =>
      `No further message is acted on until someone resumes it. ${action === "retry" ? "What was retried already is still published." : "What is done stays done."}`,
  },
  resume: {
    title: "Resume this operation",
    label: "Resume",
    consequence: (action) =>
      `It continues with the remaining messages.${canFailAgain(action) ? " If too many fail, it halts again." : ""}`,
  },
  cancel: {
    title: "Cancel the rest",
    label: "Cancel the rest",
    consequence: () => "Remaining messages stay as they are and can be selected again later. What is done stays done.",
    closeLabel: "Let it continue",
  },
};

interface CommandDialogProps {
  operation: Operation;
  command: BulkCommand;
  onClose: () => void;
  typed?: string;
}

/** Asks for a reason, then pauses, resumes or cancels the operation. */
export function CommandDialog({ operation, command, onClose, typed }: CommandDialogProps) {
  const queryClient = useQueryClient();
  const send = useMutation({
    mutationFn: (reason: string) => apiPost(operationSchema, operationPath(operation.id, `/${command}`), { reason }),
    onSuccess: (answer) => {
      takeAnswer(queryClient, operationQuery(operation.id).queryKey, answer);
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["operations"] }),
  });
  const { title, label, consequence, closeLabel } = WORDS[command];
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={title}
      consequence={consequence(operation.action)}
      confirmLabel={label}
      typed={typed}
      {...(closeLabel === undefined ? {} : { closeLabel })}
      pending={send.isPending}
      error={send.error}
      onConfirm={(reason) => send.mutate(reason)}
    />
  );
}
