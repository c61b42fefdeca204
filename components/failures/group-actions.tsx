"use client";

import { useState } from "react";
import { ActionButton } from "#components/action/action-button.tsx";
import { bulkOff, scopeReason } from "#components/action/plan-action.ts";
import { useActionScope } from "#components/action/use-action-scope.ts";
import { OpenIncident } from "#components/incidents/open-incident.tsx";
import type { BulkAsk } from "#components/operations/preview/bulk-ask.ts";
import { nameOf } from "#components/outbox/group-name.ts";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import { tellRefusal } from "#components/ui/notices/toast.ts";
import type { FailureGroup } from "#contracts/message/messages.ts";
import { formatCount } from "#domain/format.ts";
import css from "./group.module.css";
import { deadLetterOf, type GroupSelection, NO_SELECTION, retryOf } from "./group-selection.ts";
import { PauseTypes } from "./pause-types.tsx";

const PreviewDialog = lazyDialog(() =>
  import("#components/operations/preview/preview-dialog.tsx").then((module) => module.PreviewDialog),
);

const GROUP = "Failure group";

interface GroupActionsProps {
  outbox: string;
  group: FailureGroup;
  /** Every failure was read. Otherwise the actions cover at least as many messages as they name. */
  complete: boolean;
}

/** Each action names the number of messages that it is for, and opens a preview. */
export function GroupActions({ outbox, group, complete }: GroupActionsProps) {
  const scope = useActionScope(outbox);
  const [ask, setAsk] = useState<BulkAsk | undefined>(undefined);
  const retry = plan("retry", retryOf(group));
  const deadLetter = plan("dead-letter", deadLetterOf(group));

  function plan(action: "retry" | "dead-letter", selected: GroupSelection | null) {
    const none = selected?.count === 0 ? "Its messages are dead already." : undefined;
    const blocked = scopeReason(action, scope) ?? bulkOff(scope) ?? (selected === null ? NO_SELECTION : none);
    const run = () => {
      if (tellRefusal(blocked) || selected === null) return;
      setAsk({ action, select: { filter: selected.filter }, words: `group “${nameOf(group)}”` });
    };
    return { blocked, run, count: selected?.count ?? (action === "retry" ? group.messages : group.failed) };
  }

  const countOf = ({ count }: { count: number }) => formatCount(count) + (complete ? "" : "+");
  useShortcuts([
    { key: "r", description: "Retry the group", group: GROUP, run: retry.run },
    { key: "d", description: "Dead-letter the group's failed messages", group: GROUP, run: deadLetter.run },
  ]);
  return (
    <div className={css.actions}>
      <ActionButton
        action="retry"
        label={`Retry ${countOf(retry)}…`}
        variant="filled"
        blocked={retry.blocked}
        showKey
        onRun={retry.run}
      />
      <ActionButton
        action="dead-letter"
        label={deadLetter.count === 0 ? "Dead-letter…" : `Dead-letter ${countOf(deadLetter)}…`}
        blocked={deadLetter.blocked}
        showKey
        onRun={deadLetter.run}
      />
      <PauseTypes outbox={outbox} types={group.eventTypes} />
      <OpenIncident
        start={{
          title: nameOf(group),
          since: group.firstSeenAt,
          outboxes: [outbox],
          group: group.fingerprint === null ? null : { outbox, fingerprint: group.fingerprint },
        }}
      />
      {ask !== undefined && <PreviewDialog outbox={outbox} ask={ask} onClose={() => setAsk(undefined)} />}
    </div>
  );
}
