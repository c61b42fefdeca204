"use client";

import { Modal } from "@mantine/core";
import { useEffect } from "react";
import { useLive } from "#components/live/live-provider.tsx";
import { openWhile } from "#components/ui/dialogs/open-while.ts";
import type { MessageSummary } from "#contracts/message/messages.ts";
import { formatPlural } from "#domain/format.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import { ACTION_WORDS } from "./action-words.ts";
import { OperationForm } from "./operation-form.tsx";
import { OperationResults } from "./operation-results.tsx";
import { type ActionScope, planAction } from "./plan-action.ts";
import { rememberReason } from "./recent-reasons.ts";
import { useOperation } from "./use-operation.ts";

/** The operator's request: an action on messages in the versions seen. */
export interface OperationAsk {
  action: MessageAction;
  messages: readonly MessageSummary[];
}

interface OperationDialogProps {
  outbox: string;
  ask: OperationAsk;
  scope: ActionScope;
  /** An answer arrived: the selected messages have been acted on. */
  onAnswer?: () => void;
  /** `changed` is true once any answer has arrived. */
  onClose: (changed: boolean) => void;
  typed?: string;
}

/** Describes the effect, asks for a reason, then shows the result of each message. */
export function OperationDialog({ outbox, ask, scope, onAnswer, onClose, typed }: OperationDialogProps) {
  const { holdRefresh } = useLive();
  const operation = useOperation(outbox);
  const plan = planAction(ask.action, ask.messages, scope);
  useEffect(() => holdRefresh("a dialog is open"), [holdRefresh]);

  function send(reason: string) {
    rememberReason(reason);
    const targets = plan.eligible.map(({ id, version }) => ({ id, version }));
    operation.mutate({ action: ask.action, targets, reason }, onAnswer && { onSuccess: onAnswer });
  }

  const close = () => onClose(operation.data !== undefined);
  const title = `${ACTION_WORDS[ask.action].verb} ${formatPlural(plan.eligible.length, "message")}`;
  return (
    <Modal opened onClose={close} title={title} size={560} {...openWhile(operation.isPending)}>
      {operation.data === undefined ? (
        <OperationForm
          outbox={outbox}
          action={ask.action}
          plan={plan}
          typed={typed}
          pending={operation.isPending}
          error={operation.error}
          onSend={send}
          onCancel={close}
        />
      ) : (
        <OperationResults outbox={outbox} operation={operation.data} messages={plan.eligible} onClose={close} />
      )}
    </Modal>
  );
}
