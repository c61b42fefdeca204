"use client";

import { Button, Modal, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { formatCount, formatPlural } from "#domain/format.ts";
import { ErrorNote } from "../notices/error-note.tsx";
import css from "./confirm-dialog.module.css";
import { isReason, ReasonField, submitOnKeys } from "./reason-field.tsx";

const TYPED_ABOVE = 1_000;

export interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The verb with its object: "Retry 3 messages". */
  title: string;
  /** What will happen and what will not, in one or two sentences. */
  consequence: ReactNode;
  /** Number of affected messages; above 1,000 it must be typed. Left out for actions on other things. */
  count?: number;
  confirmLabel: string;
  /** "Cancel" when left out. */
  closeLabel?: string;
  /** Red, for irreversible actions. */
  danger?: boolean;
  pending?: boolean;
  error?: unknown;
  onConfirm: (reason: string) => void;
  children?: ReactNode;
}

/** The dialog itself; see ConfirmDialog for when it is loaded. */
export function ConfirmModal(props: ConfirmDialogProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <ConfirmForm {...props} />
    </Modal>
  );
}

function ConfirmForm(props: ConfirmDialogProps) {
  const { count, pending = false } = props;
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const mustType = count !== undefined && count > TYPED_ABOVE;
  const ready = isReason(reason) && (!mustType || typed.replaceAll(",", "") === String(count));

  function submit(event: { preventDefault: () => void }) {
    event.preventDefault();
    if (ready && !pending) props.onConfirm(reason.trim());
  }

  return (
    <form className={css.body} onSubmit={(event: FormEvent) => submit(event)} onKeyDown={submitOnKeys(submit)}>
      <p className={css.consequence}>
        {count !== undefined && <span className={css.count}>{formatPlural(count, "message")}. </span>}
        {props.consequence}
      </p>
      {props.children}
      <ReasonField value={reason} onChange={setReason} />
      {mustType && (
        <TextInput
          label={`Type ${formatCount(count)} to confirm`}
          inputMode="numeric"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {props.error !== undefined && props.error !== null && <ErrorNote error={props.error} />}
      <div className={css.buttons}>
        <Button onClick={props.onClose}>{props.closeLabel ?? "Cancel"}</Button>
        <Button type="submit" variant="filled" color={props.danger ? "red" : "ink"} disabled={!ready} loading={pending}>
          {props.confirmLabel}
        </Button>
      </div>
    </form>
  );
}
