"use client";

import { Button } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useActionScope } from "#components/action/use-action-scope.ts";
import { relaysQuery, sessionQuery } from "#components/api/queries.ts";
import { roleRefusal } from "#components/api/refusal.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { pauseOf } from "#components/relays/pause-subject.ts";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { MenuButton } from "#components/ui/controls/menu-button.tsx";
import { Kbd } from "#components/ui/values/kbd.tsx";
import css from "./group.module.css";

const PauseDialog = dynamic(() => import("#components/relays/pause-dialog.tsx").then((module) => module.PauseDialog), {
  ssr: false,
});
const ResumeDialog = dynamic(
  () => import("#components/relays/resume-dialog.tsx").then((module) => module.ResumeDialog),
  { ssr: false },
);

/** Pauses one of the group's types, or resumes it, where our relay publishes the outbox. */
export function PauseTypes({ outbox, types }: { outbox: string; types: readonly string[] }) {
  const { outbox: summary } = useOutbox();
  const relayed = summary?.mode === "relay" && types.length > 0;
  const { data, error } = useQuery({ ...relaysQuery(), enabled: relayed });
  const { data: session } = useQuery(sessionQuery());
  const [asked, setAsked] = useState<string | undefined>(undefined);
  const { outbox: detail } = useActionScope(outbox);
  const refusal = roleRefusal(session, "operator", outbox) ?? detail?.capabilities.actions.pause?.reason ?? undefined;
  const refused = refusal !== undefined;
  const disabled = refused || data === undefined || error !== null;
  const [only, ...others] = types;

  useShortcuts(
    relayed && others.length === 0
      ? [
          {
            key: "p",
            description: "Pause or resume the group's type",
            group: "Failure group",
            run: () => !disabled && setAsked(only),
          },
        ]
      : [],
  );
  if (!relayed || only === undefined) return null;
  const verbOf = (eventType: string) => (pauseOf(data, outbox, { eventType }) === undefined ? "Pause" : "Resume");
  const paused = asked === undefined ? undefined : pauseOf(data, outbox, { eventType: asked });
  const close = () => setAsked(undefined);
  return (
    <>
      {others.length === 0 ? (
        <Button
          disabled={disabled}
          title={refused ? "This needs the role operator." : only}
          rightSection={<Kbd>p</Kbd>}
          onClick={() => setAsked(only)}
        >
          {verbOf(only)} type…
        </Button>
      ) : (
        <MenuButton
          className={css.menu}
          width={280}
          entries={types.map((type) => ({
            label: `${verbOf(type)} ${type}…`,
            key: type,
            disabled,
            onSelect: () => setAsked(type),
          }))}
        >
          Pause type… <IconChevronDown size={13} aria-hidden />
        </MenuButton>
      )}
      {asked !== undefined &&
        (paused === undefined ? (
          <PauseDialog outbox={outbox} subject={{ eventType: asked }} onClose={close} />
        ) : (
          <ResumeDialog
            outbox={outbox}
            subject={{ eventType: asked }}
            held={paused.messageId !== null}
            onClose={close}
          />
        ))}
    </>
  );
}
