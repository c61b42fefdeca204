"use client";

import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import type { PauseRequest } from "#contracts/relays.ts";
import { useRelayCommand } from "./use-relay-command.ts";

const EXPIRIES = [
  { value: "15", label: "15 minutes" },
  { value: "60", label: "1 hour" },
  { value: "240", label: "4 hours" },
  { value: "1440", label: "1 day" },
  { value: "never", label: "until someone resumes it" },
];

/** Nobody pauses for ever by mistake: an end is asked for, an hour unless chosen otherwise. */
export function PauseDialog({ outbox, onClose }: { outbox: string; onClose: () => void }) {
  const [expiry, setExpiry] = useState("60");
  const minutes = expiry === "never" ? null : Number(expiry);
  const send = useRelayCommand<PauseRequest>(outbox, "pause", `${outbox} is paused.`, onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Pause ${outbox}`}
      consequence="The relay settles what is in flight and then publishes nothing. Messages wait in the outbox; none is lost and no attempts are burned."
      confirmLabel="Pause"
      pending={send.isPending}
      error={send.error}
      onConfirm={(reason) => send.mutate({ reason, minutes })}
    >
      <NativeSelect
        label="For"
        data={EXPIRIES}
        value={expiry}
        onChange={(event) => setExpiry(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
