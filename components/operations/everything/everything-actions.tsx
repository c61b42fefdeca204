"use client";

import { ActionButton } from "#components/action/action-button.tsx";
import { ACTION_WORDS, SELECTION_ACTIONS } from "#components/action/action-words.ts";
import type { Figure } from "#contracts/common.ts";
import { formatMatching } from "../preview/preview-words.ts";
import type { useEverything } from "./use-everything.ts";

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
  const buttons = SELECTION_ACTIONS.map((action) => {
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
  return <>{buttons}</>;
}
