"use client";

import { Button, Modal, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { formatCount, formatPlural } from "#domain/format.ts";
import css from "./confirm-dialog.module.css";
import type { ConfirmDialogProps } from "./confirm-dialog.tsx";
import { ErrorNote } from "./error-note.tsx";

const TYPED_ABOVE = 1_000;
const MIN_REASON_LENGTH = 3;

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
  const ready = reason.trim().length >= MIN_REASON_LENGTH && (!mustType || typed.replaceAll(",", "") === String(count));

  function submit(event: FormEvent) {
    event.preventDefault();
    if (ready && !pending) props.onConfirm(reason.trim());
  }

  return (
    <form className={css.body} onSubmit={submit}>
      <p className={css.consequence}>
        {count !== undefined && <span className={css.count}>{formatPlural(count, "message")}. </span>}
        {props.consequence}
      </p>
      {props.children}
      <Textarea
        label="Reason"
        description="Kept in the audit with your name."
        placeholder="e.g. consumer fixed in v412"
        data-autofocus
        required
        autosize
        minRows={2}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
        }}
      />
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
        <Button onClick={props.onClose}>Cancel</Button>
        <Button type="submit" variant="filled" color={props.danger ? "red" : "ink"} disabled={!ready} loading={pending}>
          {props.confirmLabel}
        </Button>
      </div>
    </form>
  );
}
