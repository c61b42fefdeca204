"use client";

import { Button } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { mayBeDone } from "#components/api/outage.ts";
import { isReason, ReasonField, submitOnKeys } from "#components/ui/dialogs/reason-field.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import type { MessageAction } from "#domain/message/message-state.ts";
import { ACTION_WORDS } from "./action-words.ts";
import { Consequences } from "./consequences.tsx";
import css from "./operation-dialog.module.css";
import type { ActionPlan } from "./plan-action.ts";
import { ReasonChoices } from "./reason-choices.tsx";
import { TargetSummary } from "./target-summary.tsx";

interface OperationFormProps {
  outbox: string;
  action: MessageAction;
  plan: ActionPlan;
  /** The reason at first: what was typed while the dialog's script loaded. */
  typed: string | undefined;
  pending: boolean;
  error: Error | null;
  onSend: (reason: string) => void;
  onCancel: () => void;
}

export function OperationForm(props: OperationFormProps) {
  const { outbox, action, plan, pending, error, onSend, onCancel } = props;
  const [reason, setReason] = useState(props.typed ?? "");
  const ready = isReason(reason);

  function submit(event: { preventDefault: () => void }) {
    event.preventDefault();
    if (ready && !pending) onSend(reason.trim());
  }

  return (
    <form className={css.body} onSubmit={(event: FormEvent) => submit(event)} onKeyDown={submitOnKeys(submit)}>
      <TargetSummary plan={plan} />
      <Consequences outbox={outbox} action={action} messages={plan.eligible} />
      <ReasonField value={reason} onChange={setReason} />
      <ReasonChoices onChoose={setReason} />
      {error !== null && (
        <ErrorNote title={mayBeDone(error) ? "The change is not confirmed." : "Nothing was changed."} error={error}>
          {mayBeDone(error) &&
            ` It may have been made: press ${ACTION_WORDS[action].verb} again, which makes it at most once.`}
        </ErrorNote>
      )}
      <div className={css.buttons}>
        <Button onClick={onCancel} disabled={pending}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" disabled={!ready} loading={pending}>
          {ACTION_WORDS[action].verb}
        </Button>
      </div>
    </form>
  );
}
