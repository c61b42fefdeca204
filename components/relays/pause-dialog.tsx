"use client";

import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "#components/ui/dialogs/confirm-dialog.tsx";
import type { PauseRequest } from "#contracts/outbox/relays.ts";
import { type PauseSubject, subjectAtStart, subjectName } from "./pause-subject.ts";
import { useRelayCommand } from "./use-relay-command.ts";

const EXPIRIES = [
  { value: "15", label: "15 minutes" },
  { value: "60", label: "1 hour" },
  { value: "240", label: "4 hours" },
  { value: "1440", label: "1 day" },
  { value: "never", label: "until someone resumes it" },
];

/** A pause has an end, an hour by default, so that nobody pauses indefinitely by mistake. */
export function PauseDialog({
  outbox,
  subject = {},
  onClose,
  typed,
}: {
  outbox: string;
  subject?: PauseSubject;
  onClose: () => void;
  typed?: string;
}) {
  const name = subjectName(outbox, subject);
  const [expiry, setExpiry] = useState("60");
  const minutes = expiry === "never" ? null : Number(expiry);
  const send = useRelayCommand<PauseRequest>(outbox, "pause", `${subjectAtStart(outbox, subject)} is paused.`, onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Pause ${name}`}
      consequence={consequenceOf(subject)}
      confirmLabel="Pause"
      typed={typed}
      pending={send.isPending}
      error={send.error}
      onConfirm={(reason) => send.mutate({ reason, minutes, ...subject })}
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

const NOTHING_LOST = "Paused messages wait in the outbox; none is lost and no attempts are used up.";

function consequenceOf({ eventType, aggregateKey }: PauseSubject): string {
  if (aggregateKey !== undefined)
    return `The relay finishes messages in flight, then publishes none of this aggregate; all others flow. ${NOTHING_LOST}`;
  if (eventType !== undefined)
    return `The relay publishes no message of this type and, to keep order, none behind one in its aggregate; all others flow. ${NOTHING_LOST}`;
  return `The relay finishes messages in flight, then publishes nothing. ${NOTHING_LOST}`;
}
