"use client";

import { Button, Modal, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { useLive } from "#components/live/live-provider.tsx";
import { formatCount, formatPlural } from "#domain/format.ts";
import css from "./confirm-dialog.module.css";
import { ErrorNote } from "./error-note.tsx";

const TYPED_ABOVE = 1_000;
const MIN_REASON_LENGTH = 3;

interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The verb with its object: "Retry 3 messages". */
  title: string;
  /** What will happen, and what will not, in a sentence or two. */
  consequence: ReactNode;
  /** How many messages are touched; above 1,000 the number has to be typed. Left out for what is not about messages. */
  count?: number;
  confirmLabel: string;
  /** Red for what cannot be taken back. */
  danger?: boolean;
  pending?: boolean;
  error?: unknown;
  onConfirm: (reason: string) => void;
  children?: ReactNode;
}

/** Asks for a reason before anything changes. Live refresh is held while it is open. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { holdRefresh } = useLive();
  useEffect(() => (props.opened ? holdRefresh("a dialog is open") : undefined), [props.opened, holdRefresh]);
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
