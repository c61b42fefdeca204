"use client";

import { Textarea } from "@mantine/core";

/** As the server requires it. */
const MIN_REASON_LENGTH = 3;

export function isReason(text: string): boolean {
  return text.trim().length >= MIN_REASON_LENGTH;
}

interface ReasonFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** Called on ⌘ or Ctrl with Enter. */
  onSubmit: (event: { preventDefault: () => void }) => void;
  /** false where a person reads first: on a phone the keyboard would cover the page. */
  focused?: boolean;
}

/** Reason for an action: the same field in every dialog that changes something. */
export function ReasonField({ value, onChange, onSubmit, focused = true }: ReasonFieldProps) {
  return (
    <Textarea
      label="Reason"
      description="Kept in the audit with your name."
      placeholder="e.g. consumer fixed in v412"
      data-autofocus={focused || undefined}
      required
      autosize
      minRows={2}
      maxLength={500}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) onSubmit(event);
      }}
    />
  );
}
