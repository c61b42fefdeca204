import type { ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { GuardedButton } from "#components/ui/controls/guarded-button.tsx";
import { Kbd } from "#components/ui/values/kbd.tsx";
import { ACTION_WORDS, type SELECTION_ACTIONS } from "./action-words.ts";

interface ActionButtonProps extends Pick<ButtonProps, "variant" | "className"> {
  action: (typeof SELECTION_ACTIONS)[number];
  label?: ReactNode;
  /** Why it is not possible now. */
  blocked: string | undefined;
  showKey?: boolean;
  onRun: () => void;
}

/** The button of an action on messages. */
export function ActionButton({ action, label, blocked, showKey = false, onRun, ...look }: ActionButtonProps) {
  const words = ACTION_WORDS[action];
  return (
    <GuardedButton
      {...look}
      refusal={blocked}
      rightSection={showKey && words.key !== undefined ? <Kbd>{words.key}</Kbd> : undefined}
      onRun={onRun}
    >
      {label ?? words.verb}
    </GuardedButton>
  );
}
