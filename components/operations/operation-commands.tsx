"use client";

import { Button } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { ACTION_WORDS } from "#components/action/action-words.ts";
import { bulkOff, scopeReason } from "#components/action/plan-action.ts";
import { useActionScope } from "#components/action/use-action-scope.ts";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { Hint } from "#components/ui/controls/hint.tsx";
import { Kbd } from "#components/ui/values/kbd.tsx";
import type { Bulk, Operation } from "#contracts/message/operations.ts";
import { BULK_COMMANDS, type BulkCommand } from "#domain/bulk-operation.ts";
import { formatCount } from "#domain/format.ts";
import { type FollowUp, restOf, undoOf } from "./items/follow-ups.ts";
import css from "./operation.module.css";
import type { BulkAsk } from "./preview/bulk-ask.ts";

const CommandDialog = dynamic(() => import("./command-dialog.tsx").then((module) => module.CommandDialog), {
  ssr: false,
});
const PreviewDialog = dynamic(() => import("./preview/preview-dialog.tsx").then((module) => module.PreviewDialog), {
  ssr: false,
});

const GROUP = "Operation";

/** Pause, resume and cancel while it goes on; afterwards retry the rest, or undo. */
export function OperationCommands({ operation, bulk }: { operation: Operation; bulk: Bulk }) {
  const [command, setCommand] = useState<BulkCommand | undefined>(undefined);
  const [ask, setAsk] = useState<BulkAsk | undefined>(undefined);
  const scope = useActionScope(operation.outbox);
  const can = (wanted: BulkCommand) => (BULK_COMMANDS[wanted] as readonly string[]).includes(bulk.state);
  const rest = restOf(operation);
  const undo = undoOf(operation);
  const toggle = can("pause") ? "pause" : "resume";
  // Corrected copies are sent one by one.
  const blocked = operation.action === "correct" ? "" : (scopeReason(operation.action, scope) ?? bulkOff(scope));
  // What was switched off meanwhile can still be paused and cancelled.
  const blockedNow =
    operation.action === "correct" ? "" : scopeReason(operation.action, { ...scope, outbox: undefined });
  const blockedFor = (wanted: BulkCommand) => (wanted === "resume" ? blocked : blockedNow);
  const follow = (up: FollowUp | undefined) => up !== undefined && blockedOf(up) === undefined && setAsk(up.ask);
  const blockedOf = (up: FollowUp) => scopeReason(up.ask.action, scope) ?? bulkOff(scope);
  const run = (wanted: BulkCommand) => can(wanted) && blockedFor(wanted) === undefined && setCommand(wanted);

  useShortcuts([
    { key: "p", description: "Pause or resume the operation", group: GROUP, run: () => run(toggle) },
    { key: "c", description: "Cancel the rest", group: GROUP, run: () => run("cancel") },
    { key: "r", description: "Retry the rest", group: GROUP, run: () => follow(rest) },
    { key: "u", description: "Undo what was done", group: GROUP, run: () => follow(undo) },
  ]);
  return (
    <div className={css.commands}>
      {can(toggle) && (
        <Command
          label={toggle === "pause" ? "Pause…" : "Resume…"}
          keyName="p"
          blocked={blockedFor(toggle)}
          onRun={() => run(toggle)}
        >
          {toggle === "pause" ? <IconPlayerPause size={14} aria-hidden /> : <IconPlayerPlay size={14} aria-hidden />}
        </Command>
      )}
      {can("cancel") && (
        <Command label="Cancel the rest…" keyName="c" blocked={blockedFor("cancel")} onRun={() => run("cancel")} />
      )}
      {rest !== undefined && (
        <Command
          label={`${ACTION_WORDS[rest.ask.action].verb} the rest, ${formatCount(rest.count)}…`}
          keyName="r"
          blocked={blockedOf(rest)}
          onRun={() => follow(rest)}
        />
      )}
      {undo !== undefined && (
        <Command
          label={`Undo: ${ACTION_WORDS[undo.ask.action].verb.toLowerCase()} ${formatCount(undo.count)}…`}
          keyName="u"
          blocked={blockedOf(undo)}
          onRun={() => follow(undo)}
        />
      )}
      {command !== undefined && (
        <CommandDialog operation={operation} command={command} onClose={() => setCommand(undefined)} />
      )}
      {ask !== undefined && <PreviewDialog outbox={operation.outbox} ask={ask} onClose={() => setAsk(undefined)} />}
    </div>
  );
}

interface CommandProps {
  label: string;
  keyName: string;
  blocked: string | undefined;
  onRun: () => void;
  children?: ReactNode;
}

/** Stays focusable while blocked, so that the reason can be read. */
function Command({ label, keyName, blocked, onRun, children }: CommandProps) {
  return (
    <Hint text={blocked}>
      <Button
        leftSection={children}
        rightSection={<Kbd>{keyName}</Kbd>}
        data-disabled={blocked !== undefined || undefined}
        aria-disabled={blocked !== undefined || undefined}
        onClick={onRun}
      >
        {label}
        {blocked !== undefined && <span className="visually-hidden">{` (${blocked})`}</span>}
      </Button>
    </Hint>
  );
}
