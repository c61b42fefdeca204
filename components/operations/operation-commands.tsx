"use client";

import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";
import { ACTION_WORDS } from "#components/action/action-words.ts";
import { bulkOff, scopeReason } from "#components/action/plan-action.ts";
import { useActionScope } from "#components/action/use-action-scope.ts";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { GuardedButton } from "#components/ui/controls/guarded-button.tsx";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import { tellRefusal } from "#components/ui/notices/toast.ts";
import { Kbd } from "#components/ui/values/kbd.tsx";
import type { Bulk, Operation } from "#contracts/message/operations.ts";
import { formatCount } from "#domain/format.ts";
import { BULK_COMMANDS, type BulkCommand, isEnded } from "#domain/message/bulk-operation.ts";
import { type FollowUp, restOf, undoOf } from "./items/follow-ups.ts";
import css from "./operation.module.css";
import type { BulkAsk } from "./preview/bulk-ask.ts";

const CommandDialog = lazyDialog(() => import("./command-dialog.tsx").then((module) => module.CommandDialog));
const PreviewDialog = lazyDialog(() => import("./preview/preview-dialog.tsx").then((module) => module.PreviewDialog));

const GROUP = "Operation";
const ONE_BY_ONE = "Corrected copies are sent one by one.";
const PAST: Record<BulkCommand, string> = { pause: "paused", resume: "resumed", cancel: "cancelled" };

/** Pause, resume and cancel while it goes on; afterwards retry the rest, or undo. */
export function OperationCommands({ operation, bulk }: { operation: Operation; bulk: Bulk }) {
  const [command, setCommand] = useState<BulkCommand | undefined>(undefined);
  const [ask, setAsk] = useState<BulkAsk | undefined>(undefined);
  const scope = useActionScope(operation.outbox);
  const can = (wanted: BulkCommand) => (BULK_COMMANDS[wanted] as readonly string[]).includes(bulk.state);
  const rest = restOf(operation);
  const undo = undoOf(operation);
  const toggle = can("pause") ? "pause" : "resume";
  const blocked =
    operation.action === "correct" ? ONE_BY_ONE : (scopeReason(operation.action, scope) ?? bulkOff(scope));
  // What was switched off meanwhile can still be paused and cancelled.
  const blockedNow =
    operation.action === "correct" ? ONE_BY_ONE : scopeReason(operation.action, { ...scope, outbox: undefined });
  const blockedFor = (wanted: BulkCommand) => (wanted === "resume" ? blocked : blockedNow);
  const blockedOf = (up: FollowUp) => scopeReason(up.ask.action, scope) ?? bulkOff(scope);

  function run(wanted: BulkCommand): void {
    const untimely = `The operation is ${bulk.state}: it cannot be ${PAST[wanted]} now.`;
    if (!tellRefusal(can(wanted) ? blockedFor(wanted) : untimely)) setCommand(wanted);
  }

  function follow(up: FollowUp | undefined): void {
    const nothing = isEnded(bulk.state)
      ? "Nothing is left to do in this operation."
      : "The operation is still going on.";
    if (!tellRefusal(up === undefined ? nothing : blockedOf(up)) && up !== undefined) setAsk(up.ask);
  }

  useShortcuts([
    { key: "p", description: "Pause or resume the operation", group: GROUP, run: () => run(toggle) },
    { key: "c", description: "Cancel the rest", group: GROUP, run: () => run("cancel") },
    { key: "r", description: "Retry the rest", group: GROUP, run: () => follow(rest) },
    { key: "u", description: "Undo what was done", group: GROUP, run: () => follow(undo) },
  ]);
  return (
    <div className={css.commands}>
      {can(toggle) && (
        <GuardedButton
          leftSection={
            toggle === "pause" ? <IconPlayerPause size={14} aria-hidden /> : <IconPlayerPlay size={14} aria-hidden />
          }
          rightSection={<Kbd>p</Kbd>}
          refusal={blockedFor(toggle)}
          onRun={() => run(toggle)}
        >
          {toggle === "pause" ? "Pause…" : "Resume…"}
        </GuardedButton>
      )}
      {can("cancel") && (
        <GuardedButton rightSection={<Kbd>c</Kbd>} refusal={blockedFor("cancel")} onRun={() => run("cancel")}>
          Cancel the rest…
        </GuardedButton>
      )}
      {rest !== undefined && (
        <GuardedButton rightSection={<Kbd>r</Kbd>} refusal={blockedOf(rest)} onRun={() => follow(rest)}>
          {`${ACTION_WORDS[rest.ask.action].verb} the rest, ${formatCount(rest.count)}…`}
        </GuardedButton>
      )}
      {undo !== undefined && (
        <GuardedButton rightSection={<Kbd>u</Kbd>} refusal={blockedOf(undo)} onRun={() => follow(undo)}>
          {`Undo: ${ACTION_WORDS[undo.ask.action].verb.toLowerCase()} ${formatCount(undo.count)}…`}
        </GuardedButton>
      )}
      {command !== undefined && (
        <CommandDialog operation={operation} command={command} onClose={() => setCommand(undefined)} />
      )}
      {ask !== undefined && <PreviewDialog outbox={operation.outbox} ask={ask} onClose={() => setAsk(undefined)} />}
    </div>
  );
}
