"use client";

import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";
import { useActionScope } from "#components/action/use-action-scope.ts";
import { GuardedButton } from "#components/ui/controls/guarded-button.tsx";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import type { RelayList } from "#contracts/outbox/relays.ts";
import { pauseRefusal } from "./pause-refusal.ts";
import { type PauseSubject, subjectName } from "./pause-subject.ts";

const PauseDialog = lazyDialog(() => import("./pause-dialog.tsx").then((module) => module.PauseDialog));
const ResumeDialog = lazyDialog(() => import("./resume-dialog.tsx").then((module) => module.ResumeDialog));

interface RelayControlsProps {
  outbox: string;
  /** The whole outbox when left out. */
  subject?: PauseSubject;
  paused: RelayList["pauses"][number] | undefined;
  /** True while the database does not answer. */
  silent: boolean;
  /** Replaces the subject's name on the button; empty where the row already names the subject. */
  label?: string;
}

/** Pause with a reason and an end; resume with a reason. */
export function RelayControls({ outbox, subject = {}, paused, silent, label }: RelayControlsProps) {
  /** The dialog stays the one that was asked for, whatever is read meanwhile, as after an answer that was lost. */
  const [asked, setAsked] = useState<Pick<RelayControlsProps, "paused"> | undefined>(undefined);
  const scope = useActionScope(outbox);
  const Icon = paused === undefined ? IconPlayerPause : IconPlayerPlay;
  const name = label ?? subjectName(outbox, subject);
  return (
    <>
      <GuardedButton
        leftSection={<Icon size={14} aria-hidden />}
        refusal={pauseRefusal({ ...scope, silent: silent || scope.silent === true })}
        label={label === "" ? `Resume ${subjectName(outbox, subject)}` : undefined}
        onRun={() => setAsked({ paused })}
      >
        {`${paused === undefined ? "Pause" : "Resume"} ${name}`.trimEnd()}
      </GuardedButton>
      {asked !== undefined &&
        (asked.paused === undefined ? (
          <PauseDialog outbox={outbox} subject={subject} onClose={() => setAsked(undefined)} />
        ) : (
          <ResumeDialog
            outbox={outbox}
            subject={subject}
            held={asked.paused.messageId !== null}
            onClose={() => setAsked(undefined)}
          />
        ))}
    </>
  );
}
