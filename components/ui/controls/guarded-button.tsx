"use client";

import { Button, type ButtonProps } from "@mantine/core";
import { type MouseEvent, type ReactNode, useId } from "react";
import { tellRefusal } from "../notices/toast.ts";
import { Hint } from "./hint.tsx";

interface GuardedButtonProps extends Pick<ButtonProps, "variant" | "className" | "leftSection" | "rightSection"> {
  /** Why it cannot be used now; undefined if it can. */
  refusal: string | undefined;
  label?: string | undefined;
  title?: string | undefined;
  onRun: () => void;
  children: ReactNode;
}

/**
 * A button that says why it cannot be used: in a hint to those who reach for it, in a toast to those who press it, and
 * as its description to screen readers. It stays focusable meanwhile.
 */
export function GuardedButton({ refusal, label, title, onRun, children, variant, ...look }: GuardedButtonProps) {
  const reasonId = useId();
  const off = refusal !== undefined;
  function press(event: MouseEvent) {
    if (off) event.preventDefault();
    if (!tellRefusal(refusal)) onRun();
  }
  return (
    <Hint text={refusal}>
      <Button
        {...look}
        variant={off ? "default" : (variant ?? "default")}
        aria-label={label}
        title={off ? undefined : title}
        data-disabled={off || undefined}
        aria-disabled={off || undefined}
        aria-describedby={off ? reasonId : undefined}
        onClick={press}
      >
        {children}
        {off && (
          <span id={reasonId} className="visually-hidden">
            {` (${refusal})`}
          </span>
        )}
      </Button>
    </Hint>
  );
}
