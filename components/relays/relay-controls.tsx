"use client";

import { Button } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { sessionQuery } from "#components/api/queries.ts";
import type { RelayList } from "#contracts/relays.ts";
import { hasRole } from "#domain/operator.ts";

const PauseDialog = dynamic(() => import("./pause-dialog.tsx").then((module) => module.PauseDialog), { ssr: false });
const ResumeDialog = dynamic(() => import("./resume-dialog.tsx").then((module) => module.ResumeDialog), { ssr: false });

interface RelayControlsProps {
  outbox: string;
  paused: RelayList["pauses"][number] | undefined;
  /** The database does not answer now. */
  silent: boolean;
}

/** Pause with a reason and an end; resume with a reason. */
export function RelayControls({ outbox, paused, silent }: RelayControlsProps) {
  const [opened, setOpened] = useState(false);
  const { data: session } = useQuery(sessionQuery());
  const actor = session?.actor;
  const refused = actor === null || (actor !== undefined && !hasRole(actor, "operator"));
  const Icon = paused === undefined ? IconPlayerPause : IconPlayerPlay;
  return (
    <>
      <Button
        leftSection={<Icon size={14} aria-hidden />}
        disabled={refused || silent}
        title={refused ? "This needs the role operator." : silent ? "The database does not answer." : undefined}
        onClick={() => setOpened(true)}
      >
        {paused === undefined ? `Pause ${outbox}` : `Resume ${outbox}`}
      </Button>
      {opened &&
        (paused === undefined ? (
          <PauseDialog outbox={outbox} onClose={() => setOpened(false)} />
        ) : (
          <ResumeDialog outbox={outbox} onClose={() => setOpened(false)} />
        ))}
    </>
  );
}
