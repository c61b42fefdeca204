"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import type { ActionScope } from "#components/action/plan-action.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { GuardedButton } from "#components/ui/controls/guarded-button.tsx";
import type { MessageDetail } from "#contracts/message/messages.ts";
import { correctionRefusal } from "./correction-refusal.ts";

/** Opens the editor; not there for an outbox in which editing is switched off. */
export function CorrectionButton({ detail, scope }: { detail: MessageDetail; scope: ActionScope }) {
  const { href } = useOutbox();
  const { outbox } = scope;
  if (!outbox?.capabilities.corrections.possible) return null;
  const refusal = correctionRefusal(detail, scope);
  const label = "Edit and retry…";
  if (refusal === undefined)
    return (
      <Button component={Link} href={href(editPath(detail.message.id))} variant="default" prefetch={false}>
        {label}
      </Button>
    );
  return (
    <GuardedButton refusal={refusal} onRun={() => undefined}>
      {label}
    </GuardedButton>
  );
}

export function editPath(id: string): string {
  return `/messages/${encodeURIComponent(id)}/edit`;
}
