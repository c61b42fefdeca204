"use client";

import { Button } from "@mantine/core";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from "react";

interface SureButtonProps {
  /** For screen readers: the verb with its object. */
  label: string;
  /** The button's text once it was pressed. */
  sure: string;
  loading?: boolean;
  onRun: () => void;
  children: ReactNode;
}

/**
 * A small button for what cannot be taken back: the first press asks, the second acts. Leaving it takes the first back.
 */
export function SureButton({ label, sure, loading = false, onRun, children }: SureButtonProps) {
  const [asked, setAsked] = useState(false);
  const takeBack = () => setAsked(false);

  function press(event: MouseEvent) {
    // The second half of a double click is no answer.
    if (event.detail > 1) return;
    setAsked(!asked);
    if (asked) onRun();
  }

  function leave(event: KeyboardEvent) {
    if (event.key !== "Escape" || !asked) return;
    event.preventDefault();
    takeBack();
  }

  return (
    <Button
      size="compact-xs"
      variant={asked ? "filled" : "default"}
      color={asked ? "red" : undefined}
      aria-label={asked ? `${sure}: ${label}` : label}
      loading={loading}
      onClick={press}
      onKeyDown={leave}
      onBlur={takeBack}
    >
      {asked ? sure : children}
    </Button>
  );
}
