"use client";

import { Button } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useActionScope } from "#components/action/use-action-scope.ts";
import { sessionQuery } from "#components/api/queries.ts";
import { roleRefusal } from "#components/api/refusal.ts";
import type { RelayList } from "#contracts/outbox/relays.ts";
import { type PauseSubject, subjectName } from "./pause-subject.ts";

const PauseDialog = dynamic(() => import("./pause-dialog.tsx").then((module) => module.PauseDialog), { ssr: false });
const ResumeDialog = dynamic(() => import("./resume-dialog.tsx").then((module) => module.ResumeDialog), { ssr: false });

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
  const [opened, setOpened] = useState(false);
  const { data: session } = useQuery(sessionQuery());
  const { outbox: detail } = useActionScope(outbox);
  const refused = roleRefusal(session, "operator", outbox) ?? detail?.capabilities.actions.pause?.reason ?? undefined;
  const Icon = paused === undefined ? IconPlayerPause : IconPlayerPlay;
  const name = label ?? subjectName(outbox, subject);
  return (
    <>
      <Button
        leftSection={<Icon size={14} aria-hidden />}
        variant="default"
        disabled={refused !== undefined || silent}
        aria-label={label === "" ? `Resume ${subjectName(outbox, subject)}` : undefined}
        title={refused ?? (silent ? "The database does not answer." : undefined)}
        onClick={() => setOpened(true)}
      >
        {`${paused === undefined ? "Pause" : "Resume"} ${name}`.trimEnd()}
      </Button>
      {opened &&
        (paused === undefined ? (
          <PauseDialog outbox={outbox} subject={subject} onClose={() => setOpened(false)} />
        ) : (
          <ResumeDialog
            outbox={outbox}
            subject={subject}
            held={paused.messageId !== null}
            onClose={() => setOpened(false)}
          />
        ))}
    </>
  );
}
