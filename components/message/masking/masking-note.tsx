"use client";

import { Button } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useState } from "react";
import { ConfirmDialog } from "#components/ui/dialogs/confirm-dialog.tsx";
import type { MessageDetail } from "#contracts/message/messages.ts";
import { formatPlural } from "#domain/format.ts";
import css from "./masking-note.module.css";
import type { useRevealed } from "./use-revealed.ts";

type Mask = ReturnType<typeof useRevealed>["mask"];

/** What of the message is masked, and the way to see it. Nothing for a message that is shown as it is stored. */
export function MaskingNote({ masking, isRevealed, reveal, hide }: Mask) {
  const [asks, setAsks] = useState(false);
  const words = masking === null ? null : maskingWords(masking);
  if (masking === null || words === null) return null;
  if (isRevealed)
    return (
      <div className={css.note} role="status">
        <IconEye size={15} aria-hidden />
        <p>Shown as it is stored, until you leave this message. The audit has your reason.</p>
        <Button size="compact-sm" onClick={hide}>
          Mask again
        </Button>
      </div>
    );
  function ask() {
    reveal.reset();
    setAsks(true);
  }

  return (
    <div className={css.note}>
      <IconEyeOff size={15} aria-hidden />
      <p>
        {words} {masking.noReveal !== null && <span className="muted">{masking.noReveal}</span>}
      </p>
      {masking.noReveal === null && (
        <Button size="compact-sm" onClick={ask}>
          Reveal…
        </Button>
      )}
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title="Reveal this message"
        consequence="Payload, headers and errors are shown to you as they are stored. The audit records that you saw them, and why."
        confirmLabel="Reveal"
        pending={reveal.isPending}
        error={reveal.error}
        onConfirm={(reason) => reveal.mutate(reason, { onSuccess: () => setAsks(false) })}
      />
    </div>
  );
}

function maskingWords({ values, reasons, payload, headers }: NonNullable<MessageDetail["masking"]>): string | null {
  if (payload === "whole" && headers === "whole") return null;
  const masked = values > 0 ? [`${formatPlural(values, "value is", "values are")} masked.`] : [];
  return [...masked, ...reasons].join(" ");
}
