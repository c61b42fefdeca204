"use client";

import { Button, Modal } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { mayBeDone } from "#components/api/outage.ts";
import { ErrorNote } from "../notices/error-note.tsx";
import css from "./confirm-dialog.module.css";
import { openWhile } from "./open-while.ts";
import { isReason, ReasonField, type ReasonWords, submitOnKeys } from "./reason-field.tsx";

export interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The verb with its object: "Retry 3 messages". */
  title: string;
  /** What will happen and what will not, in one or two sentences. */
  consequence: ReactNode;
  confirmLabel: string;
  /** Words of the field, where it asks for something else than a reason. */
  reason?: ReasonWords;
  /** "Cancel" when left out. */
  closeLabel?: string;
  /** Red, for irreversible actions. */
  danger?: boolean;
  pending?: boolean;
  /** The reason at first: what was typed while the dialog's script loaded. */
  typed?: string | undefined;
  error?: unknown;
  onConfirm: (reason: string) => void;
  children?: ReactNode;
}

/** The dialog itself; see ConfirmDialog for when it is loaded. */
export function ConfirmModal(props: ConfirmDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title} {...openWhile(props.pending ?? false)}>
      <ConfirmForm {...props} />
    </Modal>
  );
}

function ConfirmForm(props: ConfirmDialogProps) {
  const { pending = false } = props;
  const [reason, setReason] = useState(props.typed ?? "");
  const ready = isReason(reason);

  function submit(event: { preventDefault: () => void }) {
    event.preventDefault();
    if (ready && !pending) props.onConfirm(reason.trim());
  }

  return (
    <form className={css.body} onSubmit={(event: FormEvent) => submit(event)} onKeyDown={submitOnKeys(submit)}>
      <p className={css.consequence}>{props.consequence}</p>
      {props.children}
      <ReasonField value={reason} onChange={setReason} words={props.reason} />
      {props.error instanceof Error && (
        <ErrorNote error={props.error}>{mayBeDone(props.error) && " It may have been done."}</ErrorNote>
      )}
      <div className={css.buttons}>
        <Button onClick={props.onClose} disabled={pending}>
          {props.closeLabel ?? "Cancel"}
        </Button>
        <Button type="submit" variant="filled" color={props.danger ? "red" : "ink"} disabled={!ready} loading={pending}>
          {props.confirmLabel}
        </Button>
      </div>
    </form>
  );
}
