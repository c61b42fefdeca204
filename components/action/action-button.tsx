"use client";

import { Button, type ButtonProps } from "@mantine/core";
import { type MouseEvent, type ReactNode, useId } from "react";
import { Hint } from "#components/ui/controls/hint.tsx";
import { Kbd } from "#components/ui/values/kbd.tsx";
import { ACTION_WORDS, type SELECTION_ACTIONS } from "./action-words.ts";

interface ActionButtonProps extends Pick<ButtonProps, "variant" | "className"> {
  action: (typeof SELECTION_ACTIONS)[number];
  label?: ReactNode;
  /** Why it is disabled; the button stays focusable so that the reason can be read. */
  blocked: string | undefined;
  showKey?: boolean;
  onRun: () => void;
}

/** A button that explains why it is disabled, to mouse, keyboard, touch and screen readers. */
export function ActionButton({ action, label, blocked, showKey = false, onRun, ...look }: ActionButtonProps) {
  const reasonId = useId();
  const words = ACTION_WORDS[action];
  const off = blocked !== undefined;
  const press = (event: MouseEvent) => (off ? event.preventDefault() : onRun());
  return (
    <Hint text={blocked}>
      <Button
        {...look}
        variant={off ? "default" : (look.variant ?? "default")}
        data-disabled={off || undefined}
        aria-disabled={off || undefined}
        aria-describedby={off ? reasonId : undefined}
        onClick={press}
        rightSection={showKey && words.key !== undefined ? <Kbd>{words.key}</Kbd> : undefined}
      >
        {label ?? words.verb}
        {off && (
          <span id={reasonId} className="visually-hidden">
            {` (${blocked})`}
          </span>
        )}
      </Button>
    </Hint>
  );
}
