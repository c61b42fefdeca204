"use client";

import { Textarea } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { useModKey } from "#components/shortcuts/use-mod-key.ts";
import { useUnsaved } from "#components/ui/page/use-unsaved.ts";
import { LEAST_REASON } from "#contracts/common.ts";
import classes from "./reason-field.module.css";

export function isReason(text: string): boolean {
  return text.trim().length >= LEAST_REASON;
}

type Submit = (event: { preventDefault: () => void }) => void;

/** For a form: ⌘ or Ctrl with Enter submits it from each of its fields; on a button the key is the button's. */
export const submitOnKeys = (submit: Submit) => (event: KeyboardEvent) => {
  const onButton = event.target instanceof HTMLButtonElement;
  if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && !onButton) submit(event);
};

export interface ReasonWords {
  label: string;
  placeholder: string;
}

const REASON: ReasonWords = { label: "Reason", placeholder: "e.g. consumer fixed in v412" };

interface ReasonFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** false where a person reads first: on a phone the keyboard would cover the page. */
  focused?: boolean;
  words?: ReasonWords | undefined;
}

/** Reason for an action: the same field in every dialog that changes something. */
export function ReasonField({ value, onChange, focused = true, words = REASON }: ReasonFieldProps) {
  const modKey = useModKey();
  useUnsaved(value.trim() !== "");
  const tooShort = value.trim() !== "" && !isReason(value);
  return (
    <Textarea
      label={words.label}
      description={
        <>
          Kept in the audit with your name.{tooShort ? ` At least ${LEAST_REASON} characters.` : ""}
          <span className={classes.keys}>{` ${modKey}Enter confirms.`}</span>
        </>
      }
      placeholder={words.placeholder}
      data-autofocus={focused || undefined}
      required
      autosize
      minRows={2}
      maxLength={500}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
