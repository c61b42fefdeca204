"use client";

import { TextInput } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "#components/ui/dialogs/confirm-dialog.tsx";
import type { FailureGroup } from "#contracts/message/messages.ts";
import { formatCount } from "#domain/format.ts";

interface IgnoreDialogProps {
  group: FailureGroup;
  pending: boolean;
  error: Error | null;
  onClose: () => void;
  onIgnore: (upTo: number, reason: string) => void;
}

const MOST = 1_000_000;

/** Asks up to which rate a group is ignored, and why. */
export function IgnoreDialog({ group, pending, error, onClose, onIgnore }: IgnoreDialogProps) {
  const lastHour = group.newByHour?.at(-1) ?? 0;
  const [rate, setRate] = useState(String(Math.max(1, ...(group.newByHour ?? []))));
  const upTo = /^\d{1,7}$/.test(rate.trim()) && Number(rate) <= MOST ? Number(rate) : null;
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Ignore up to a rate"
      consequence="The list folds the group until more than this many new messages an hour fail with this error. Counts, verdict, health and alerts still include it."
      confirmLabel="Ignore"
      pending={pending}
      error={error}
      onConfirm={(reason) => upTo !== null && onIgnore(upTo, reason)}
    >
      <TextInput
        label="New messages an hour"
        description={`${formatCount(lastHour)} in the last hour. The field starts with the highest hourly number of the last 24 hours.`}
        inputMode="numeric"
        autoComplete="off"
        value={rate}
        error={upTo === null ? `A whole number up to ${formatCount(MOST)}.` : undefined}
        onChange={(event) => setRate(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
