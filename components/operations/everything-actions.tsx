"use client";

import dynamic from "next/dynamic";
import { ActionButton } from "#components/message/action-button.tsx";
import { ACTION_WORDS, OFFERED_ACTIONS } from "#components/message/action-words.ts";
import type { Figure } from "#contracts/common.ts";
import { formatMatching } from "./preview-words.ts";
import type { useEverything } from "./use-everything.ts";

const PreviewDialog = dynamic(() => import("./preview-dialog.tsx").then((module) => module.PreviewDialog), {
  ssr: false,
});

interface EverythingActionsProps {
  everything: ReturnType<typeof useEverything>;
  matching: Figure | undefined;
  className: string | undefined;
}

/** "all 10,000+ that match" */
export function everythingWords(matching: Figure | undefined, all: "all" | "All" = "all"): string {
  const counted = matching !== undefined && matching.precision !== "unknown";
  return counted ? `${all} ${formatMatching(matching)} that match` : `${all} that match`;
}

/** The actions on all that match; each opens a preview. */
export function EverythingActions({ everything, matching, className }: EverythingActionsProps) {
  const counted = matching !== undefined && matching.precision !== "unknown";
  const { outbox, ask } = everything;
  const buttons = OFFERED_ACTIONS.map((action) => {
    const blocked = everything.blockedOf(action);
    const count = counted && blocked === undefined ? ` ${formatMatching(matching)}` : "";
    return (
      <ActionButton
        key={action}
        action={action}
        className={className}
        blocked={blocked}
        showKey
        label={`${ACTION_WORDS[action].verb}${count}…`}
        onRun={() => everything.askFor(action)}
      />
    );
  });
  return (
    <>
      {buttons}
      {ask !== undefined && outbox !== undefined && (
        <PreviewDialog outbox={outbox} ask={ask} onClose={everything.closeAsk} />
      )}
    </>
  );
}
