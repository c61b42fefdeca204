"use client";

import { ActionButton } from "#components/action/action-button.tsx";
import { OFFERED_ACTIONS } from "#components/action/action-words.ts";
import { type ActionScope, planAction, scopeReason } from "#components/action/plan-action.ts";
import type { MessageDetail } from "#contracts/message/messages.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import { CopyMenu } from "./copy-menu.tsx";
import { CorrectionButton } from "./correction-button.tsx";
import css from "./message.module.css";

interface MessageActionsProps {
  outbox: string;
  detail: MessageDetail;
  scope: ActionScope;
  onAsk: (action: MessageAction) => void;
}

/** The action that makes a message move again is the primary button; disabled actions give their reason. */
export function MessageActions({ outbox, detail, scope, onAsk }: MessageActionsProps) {
  const archived = detail.message.state === "archived";
  const shown = OFFERED_ACTIONS.filter((action) => (action === "restore") === archived);
  const blockedReasons = shown.map((action) => actionRefusal(action, detail, scope));
  return (
    <div className={css.actions}>
      {shown.map((action, index) => (
        <ActionButton
          key={action}
          action={action}
          label={action === "retry" ? "Retry now" : undefined}
          variant={action === "retry" || action === "restore" ? "filled" : "default"}
          blocked={blockedReasons[index]}
          onRun={() => onAsk(action)}
        />
      ))}
      <CorrectionButton detail={detail} scope={scope} />
      <span className={css.copy}>
        <CopyMenu outbox={outbox} detail={detail} />
      </span>
    </div>
  );
}

/** Why an action is not possible. The server checks the table; state and role are also known here without a request. */
export function actionRefusal(action: MessageAction, detail: MessageDetail, scope: ActionScope): string | undefined {
  const role = scopeReason(action, scope);
  if (role !== undefined) return role;
  const told = detail.actions.find((candidate) => candidate.action === action);
  if (told !== undefined && !told.possible) return told.reason ?? "Not possible here.";
  return planAction(action, [detail.message], scope).blocked;
}
