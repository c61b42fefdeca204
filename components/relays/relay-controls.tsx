"use client";

import { Button, Select } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { apiPost } from "#components/api/api-client.ts";
import { sessionQuery } from "#components/api/queries.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { toast } from "#components/ui/toast.ts";
import type { PauseRequest, RelayList } from "#contracts/relays.ts";
import { hasRole } from "#domain/operator.ts";

const EXPIRIES = [
  { value: "15", label: "15 minutes" },
  { value: "60", label: "1 hour" },
  { value: "240", label: "4 hours" },
  { value: "1440", label: "1 day" },
  { value: "never", label: "until someone resumes it" },
];

interface RelayControlsProps {
  outbox: string;
  paused: RelayList["pauses"][number] | undefined;
}

/** Pause with a reason and an end; resume with a reason. */
export function RelayControls({ outbox, paused }: RelayControlsProps) {
  const [opened, setOpened] = useState(false);
  const { data: session } = useQuery(sessionQuery());
  const actor = session?.actor;
  const refused = actor === null || (actor !== undefined && !hasRole(actor, "operator"));
  const Icon = paused === undefined ? IconPlayerPause : IconPlayerPlay;
  return (
    <>
      <Button
        leftSection={<Icon size={14} aria-hidden />}
        disabled={refused}
        title={refused ? "This needs the role operator." : undefined}
        onClick={() => setOpened(true)}
      >
        {paused === undefined ? `Pause ${outbox}` : `Resume ${outbox}`}
      </Button>
      {opened &&
        (paused === undefined ? (
          <PauseDialog outbox={outbox} onClose={() => setOpened(false)} />
        ) : (
          <ResumeDialog outbox={outbox} onClose={() => setOpened(false)} />
        ))}
    </>
  );
}

function PauseDialog({ outbox, onClose }: { outbox: string; onClose: () => void }) {
  const [expiry, setExpiry] = useState("60");
  const minutes = expiry === "never" ? null : Number(expiry);
  const send = useSend<PauseRequest>(outbox, "pause", `${outbox} is paused.`, onClose);
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
      <Select
        label="For"
        data={EXPIRIES}
        value={expiry}
        onChange={(value) => setExpiry(value ?? "60")}
        allowDeselect={false}
      />
    </ConfirmDialog>
  );
}

function ResumeDialog({ outbox, onClose }: { outbox: string; onClose: () => void }) {
  const send = useSend<{ reason: string }>(outbox, "resume", `${outbox} is resumed.`, onClose);
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

function useSend<Body>(outbox: string, verb: "pause" | "resume", done: string, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => apiPost(z.unknown(), `/api/v1/relays/${encodeURIComponent(outbox)}/${verb}`, body),
    onSuccess: () => {
      toast.done({ message: done });
      onDone();
    },
    onSettled: () => {
      for (const key of ["relays", "snapshot", "outboxes"]) void queryClient.invalidateQueries({ queryKey: [key] });
    },
  });
}
